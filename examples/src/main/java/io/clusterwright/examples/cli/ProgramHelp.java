package io.clusterwright.examples.cli;

import java.text.BreakIterator;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The help of the program itself: the commands by group, as {@link Commands} lists them, and examples at the end. */
final class ProgramHelp {
    private static final String FOOTER = """

            Examples:
              clusterwright validate demo.yaml --on local
              sudo clusterwright create demo.yaml --on local
              sudo clusterwright mpi demo -n 4 -- ./solver

            clusterwright help COMMAND explains a command, help CW-NET-001 a finding, help
            slurm the page slurm of the manual; help topics lists all pages.
            Exit status: 0 done, 1 failed, 2 refused, 3 done with a bad verdict, 130
            interrupted.
            """;

    private ProgramHelp() {}

    /** Makes the help of a program. */
    static void install(CommandLine program) {
        Map<String, CommandLine.IHelpSectionRenderer> sections = program.getHelpSectionMap();
        sections.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, help -> "");
        sections.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, ProgramHelp::commands);
        sections.put(UsageMessageSpec.SECTION_KEY_FOOTER, help -> FOOTER);
    }

    private static String commands(CommandLine.Help help) {
        Map<String, CommandLine> commands = help.commandSpec().subcommands();
        int width = help.commandSpec().usageMessage().width();
        int names = commands.keySet().stream().mapToInt(String::length).max().orElse(0) + 4;
        StringBuilder text = new StringBuilder();
        Commands.groups().forEach((group, members) -> {
            TextTable table = TextTable.forColumns(
                    help.colorScheme(),
                    new Column(names, 2, Column.Overflow.SPAN),
                    new Column(width - names, 0, Column.Overflow.WRAP));
            table.indentWrappedLines = 0;
            for (String name : members) {
                CommandLine command = commands.get(name);
                if (command != null) {
                    table.addRowValues(name, purpose(command));
                }
            }
            text.append('\n').append(group).append(":\n").append(table);
        });
        return text.toString();
    }

    /** The first sentence about a command. */
    static String purpose(CommandLine command) {
        String text = String.join(" ", command.getCommandSpec().usageMessage().description());
        BreakIterator sentences = BreakIterator.getSentenceInstance(Locale.ROOT);
        sentences.setText(text);
        return text.substring(0, Math.max(0, sentences.next())).strip();
    }
}
