package io.clusterwright.windows.internal.jobs;

import io.clusterwright.windows.hpcpack.HpcPackJob;
import io.clusterwright.windows.hpcpack.HpcPackTask;
import io.clusterwright.windows.internal.xml.Xml;
import io.clusterwright.windows.internal.xml.XmlWriter;
import java.util.Map;
import java.util.stream.Stream;
import org.w3c.dom.Element;

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
        Element root = Xml.root("Job");
        describe(root, job.properties(), job.environment());
        Element tasks = Xml.add(root, "Tasks");
        for (HpcPackTask task : job.tasks()) {
            describe(Xml.add(tasks, "Task"), task.properties(), task.environment());
        }
        return XmlWriter.write(root.getOwnerDocument());
    }

    private static void describe(Element element, Map<String, String> properties, Map<String, String> environment) {
        Stream.concat(Stream.of("Name").filter(properties::containsKey), properties.keySet().stream())
                .distinct()
                .forEach(name -> Xml.attribute(element, name, properties.getOrDefault(name, "")));
        if (!environment.isEmpty()) {
            Element variables = Xml.add(element, "EnvironmentVariables");
            environment.forEach((name, value) -> {
                Element variable = Xml.add(variables, "Variable");
                Xml.add(variable, "Name", name);
                Xml.add(variable, "Value", value);
            });
        }
    }
}
