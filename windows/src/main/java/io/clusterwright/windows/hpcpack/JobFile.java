package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.windows.internal.jobs.JobChecks;
import io.clusterwright.windows.internal.quoting.HpcPackCommandLine;
import io.clusterwright.windows.internal.xml.XmlElement;
import io.clusterwright.windows.internal.xml.XmlFile;
import io.clusterwright.windows.internal.xml.XmlParser;
import io.clusterwright.windows.internal.xml.XmlSyntaxException;
import io.clusterwright.windows.internal.xml.XmlWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The file of a job, for {@code job submit /jobfile:} and the REST interface. Immutable.
 *
 * <p>Unknown elements, attributes and comments are kept and written again. Source: learn.microsoft.com cc897710
 * and cc907039.
 */
public final class JobFile {
    private static final String TASKS = "Tasks";

    private final XmlFile file;

    private JobFile(XmlFile file) {
        this.file = file;
    }

    /**
     * A job without tasks.
     *
     * @param name its name
     */
    public static JobFile of(String name) {
        return new JobFile(XmlFile.of(XmlElement.of("Job").attribute("Name", JobChecks.name("name of a job", name))));
    }

    /**
     * Reads a file.
     *
     * @throws InvalidValueException when it is not well-formed, or no job; the message names line and column
     */
    public static JobFile read(String text) {
        XmlFile file;
        try {
            file = XmlParser.parse(text);
        } catch (XmlSyntaxException e) {
            throw new InvalidValueException(
                    "job file (line " + e.line() + ", column " + e.column() + ": " + e.getMessage() + ")",
                    text,
                    "well-formed XML",
                    "<Job Name=\"a\"><Tasks /></Job>");
        }
        if (!file.root().name().equals("Job")) {
            throw new InvalidValueException(
                    "job file",
                    "<" + file.root().name() + ">",
                    "XML whose root is Job",
                    "<Job Name=\"a\"><Tasks /></Job>");
        }
        return new JobFile(file);
    }

    /** The attributes of the job, in their order. */
    public Map<String, String> attributes() {
        return file.root().attributes();
    }

    /** The same with one more attribute of the job, or another value of it. */
    public JobFile attribute(String name, String value) {
        return new JobFile(file.root(file.root().attribute(name, value)));
    }

    /** The same for exactly this number of nodes. */
    public JobFile nodes(int count) {
        String number = Integer.toString(JobChecks.atLeast("number of nodes", count, 1));
        return attribute("UnitType", "Node").attribute("MinNodes", number).attribute("MaxNodes", number);
    }

    /** The same on nodes of this group. */
    public JobFile nodeGroup(String group) {
        return attribute("NodeGroups", JobChecks.name("node group", group));
    }

    /** The same with this template. */
    public JobFile template(String template) {
        return attribute("JobTemplate", JobChecks.name("job template", template));
    }

    /**
     * A task for a job file, which is not started again when it fails: HPC Pack does so by default, which suits few MPI programs.
     *
     * @param name its name
     * @param command the program and its arguments
     * @throws InvalidValueException when the command cannot be kept
     */
    public static HpcPackTask task(String name, List<String> command) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("Name", JobChecks.name("name of a task", name));
        attributes.put("CommandLine", HpcPackCommandLine.stored(command));
        attributes.put("IsRerunnable", "false");
        return HpcPackTask.read(attributes);
    }

    /** The tasks, in their order, with all their attributes. */
    public List<HpcPackTask> tasks() {
        return file.root().at(TASKS + "/Task").stream()
                .map(task -> HpcPackTask.read(task.attributes()))
                .toList();
    }

    /** The same with another task at its end. */
    public JobFile add(HpcPackTask task) {
        XmlElement element = XmlElement.of("Task");
        for (Map.Entry<String, String> attribute : task.properties().entrySet()) {
            element = element.attribute(attribute.getKey(), attribute.getValue());
        }
        if (!task.environment().isEmpty()) {
            List<XmlElement> variables = task.environment().entrySet().stream()
                    .map(variable -> XmlElement.of("Variable")
                            .add(XmlElement.of("Name", variable.getKey()))
                            .add(XmlElement.of("Value", variable.getValue())))
                    .toList();
            element = element.add(XmlElement.of("EnvironmentVariables").children(variables));
        }
        XmlElement tasks =
                file.root().element(TASKS).orElse(XmlElement.of(TASKS)).add(element);
        return new JobFile(file.root(file.root().replace(TASKS, List.of(tasks))));
    }

    /**
     * The file as text, to be saved in UTF-8. Commands may be secret: they are in no message and no {@link #toString()}.
     *
     * @throws InvalidValueException when a value holds a character that XML cannot
     */
    public String text() {
        return XmlWriter.write(file);
    }

    /** Its name and how many tasks it has. */
    @Override
    public String toString() {
        return "job " + attributes().getOrDefault("Name", "without a name") + " of " + tasks().size() + " tasks";
    }
}
