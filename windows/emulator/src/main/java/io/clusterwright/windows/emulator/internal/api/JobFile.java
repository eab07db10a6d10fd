package io.clusterwright.windows.emulator.internal.api;

import io.clusterwright.core.internal.http.HttpRefusalException;
import io.clusterwright.windows.emulator.internal.scheduler.Job;
import io.clusterwright.windows.emulator.internal.scheduler.Scheduler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;

/**
 * A job described in XML: attributes are properties.
 *
 * @param job the properties of the job
 * @param environment the variables of the job
 * @param tasks the properties of each task
 */
record JobFile(Map<String, String> job, Map<String, String> environment, List<Map<String, String>> tasks) {

    static JobFile read(String text) {
        Element root = Xml.read(text);
        if (!root.getLocalName().equals("Job")) {
            throw HttpRefusalException.badRequest("The root of a job file is Job, not " + root.getLocalName() + ".");
        }
        Map<String, String> variables = new LinkedHashMap<>();
        Xml.all(root, "Variable").forEach(each -> variables.put(Xml.text(each, "Name"), Xml.text(each, "Value")));
        List<Map<String, String>> tasks = new ArrayList<>();
        Xml.all(root, "Task").forEach(each -> tasks.add(attributes(each)));
        return new JobFile(attributes(root), variables, tasks);
    }

    Job create(Scheduler scheduler, String owner) {
        Job created = scheduler.create(job, owner);
        created.environment().putAll(environment);
        tasks.forEach(task -> scheduler.add(created.id(), task));
        return created;
    }

    private static Map<String, String> attributes(Element element) {
        Map<String, String> all = new LinkedHashMap<>();
        NamedNodeMap given = element.getAttributes();
        for (int i = 0; i < given.getLength(); i++) {
            String name = given.item(i).getNodeName();
            if (!name.startsWith("xmlns")) {
                all.put(name, given.item(i).getNodeValue());
            }
        }
        return all;
    }
}
