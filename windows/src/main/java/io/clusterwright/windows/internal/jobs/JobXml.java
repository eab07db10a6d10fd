package io.clusterwright.windows.internal.jobs;

import io.clusterwright.windows.hpcpack.HpcPackJob;
import io.clusterwright.windows.hpcpack.HpcPackTask;
import io.clusterwright.windows.internal.xml.XmlElement;
import io.clusterwright.windows.internal.xml.XmlFile;
import io.clusterwright.windows.internal.xml.XmlWriter;
import java.util.List;
import java.util.Map;

/**
 * Writes a job as a file, for {@code job submit /jobfile:} and the REST interface: properties are attributes, names first. Source:
 * learn.microsoft.com cc897710 and cc907039.
 */
public final class JobXml {
    private JobXml() {}

    /**
     * The file as text, to be saved in UTF-8.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when a value holds a character that XML cannot
     */
    public static String write(HpcPackJob job) {
        XmlElement root = element("Job", job.properties(), job.environment());
        XmlElement tasks = XmlElement.of("Tasks");
        for (HpcPackTask task : job.tasks()) {
            tasks = tasks.add(element("Task", task.properties(), task.environment()));
        }
        return XmlWriter.write(XmlFile.of(root.add(tasks)));
    }

    private static XmlElement element(String name, Map<String, String> properties, Map<String, String> environment) {
        XmlElement element = XmlElement.of(name);
        if (properties.containsKey("Name")) {
            element = element.attribute("Name", properties.get("Name"));
        }
        for (Map.Entry<String, String> property : properties.entrySet()) {
            element = element.attribute(property.getKey(), property.getValue());
        }
        if (environment.isEmpty()) {
            return element;
        }
        List<XmlElement> variables = environment.entrySet().stream()
                .map(variable -> XmlElement.of("Variable")
                        .add(XmlElement.of("Name", variable.getKey()))
                        .add(XmlElement.of("Value", variable.getValue())))
                .toList();
        return element.add(XmlElement.of("EnvironmentVariables").children(variables));
    }
}
