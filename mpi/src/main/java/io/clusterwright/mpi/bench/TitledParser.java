package io.clusterwright.mpi.bench;

import io.clusterwright.core.internal.text.LineSplitter.Line;
import io.clusterwright.mpi.bench.RowFormat.Column;
import io.clusterwright.mpi.bench.Tables.FormatParser;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a tool that prints a title for each benchmark, then a line of column titles, then rows. */
abstract class TitledParser implements FormatParser {
    private final Pattern title;
    private @Nullable RowFormat format;
    private @Nullable TableBuilder table;

    /** The titles of the columns that are not read, of the table whose titles were read last. */
    final List<String> unread = new ArrayList<>();

    TitledParser(Pattern title) {
        this.title = title;
    }

    @Override
    public final void accept(Line line, Tables tables) {
        String text = line.text();
        Matcher titled = title.matcher(text);
        if (titled.matches()) {
            begin(titled);
            format = null;
        } else if (namesColumns(text)) {
            unread.clear();
            RowFormat columns = new RowFormat(columns(text));
            format = columns.measuresSomething() ? columns : null;
            if (format == null) {
                tables.addQuote(MpiFinding.UNKNOWN_COLUMNS, line);
            } else {
                table = open(line, tables);
                if (!unread.isEmpty()) {
                    table.add(MpiFinding.UNREAD_COLUMNS, line, String.join(", ", unread));
                }
            }
        } else if (endsTable(text)) {
            format = null;
        } else if (format != null && table != null && !text.isBlank()) {
            row(line, format, table);
        }
    }

    abstract void begin(Matcher titled);

    abstract boolean namesColumns(String text);

    abstract List<Column> columns(String text);

    abstract TableBuilder open(Line columns, Tables tables);

    boolean endsTable(String text) {
        return false;
    }

    void row(Line line, RowFormat columns, TableBuilder rows) {
        rows.accept(line, columns);
    }
}
