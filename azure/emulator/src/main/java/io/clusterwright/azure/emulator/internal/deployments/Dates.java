package io.clusterwright.azure.emulator.internal.deployments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times of the template language, in UTC. Of the formats of .NET only numbers and literal texts are known. */
final class Dates {
    private static final String COMPACT = "yyyyMMddTHHmmssZ";
    private static final String SORTABLE = "yyyy-MM-dd HH:mm:ssZ";
    private static final String ISO = "yyyy-MM-ddTHH:mm:ssZ";
    private static final Pattern KNOWN = Pattern.compile("yyyy|yy|MM|dd|HH|mm|ss|[TZ]|[-:./ ]");
    private static final Pattern DURATION = Pattern.compile("(-?)P(?:(\\d+Y)?(\\d+M)?(\\d+W)?(\\d+D)?)(T.+)?");

    private Dates() {}

    /** {@code utcNow([format])}. */
    static JsonNode now(Instant time, List<JsonNode> arguments) {
        return text(time.atOffset(ZoneOffset.UTC), arguments.isEmpty() ? COMPACT : Functions.string(arguments.get(0)));
    }

    /** {@code dateTimeAdd(base, duration, [format])}. */
    static JsonNode add(List<JsonNode> arguments) {
        String base = Functions.string(arguments.get(0));
        OffsetDateTime time = parse(base);
        String duration = Functions.string(arguments.get(1));
        Matcher parts = DURATION.matcher(duration);
        TemplateException.refuse(!parts.matches() || duration.endsWith("P"), "duration", duration);
        int sign = parts.group(1).isEmpty() ? 1 : -1;
        String hours = parts.group(6);
        String days = duration.substring(
                parts.group(1).length(), hours == null ? duration.length() : duration.length() - hours.length());
        OffsetDateTime sum =
                days.equals("P") ? time : time.plus(Period.parse(days).multipliedBy(sign));
        sum = hours == null ? sum : sum.plus(Duration.parse("P" + hours).multipliedBy(sign));
        return text(
                sum, arguments.size() > 2 ? Functions.string(arguments.get(2)) : base.contains("T") ? ISO : SORTABLE);
    }

    private static OffsetDateTime parse(String base) {
        try {
            return OffsetDateTime.parse(base.replaceFirst("^(\\d{4}-\\d{2}-\\d{2}) ", "$1T"));
        } catch (DateTimeParseException e) {
            throw TemplateException.of("time", base);
        }
    }

    private static JsonNode text(OffsetDateTime time, String format) {
        String wanted = format.equals("u") ? SORTABLE : format;
        StringBuilder pattern = new StringBuilder();
        Matcher known = KNOWN.matcher(wanted);
        int end = 0;
        while (known.find() && known.start() == end) {
            String part = known.group();
            pattern.append(part.matches("[yMdHms]+") ? part : "'" + part + "'");
            end = known.end();
        }
        TemplateException.refuse(end < wanted.length(), "format", format);
        return TextNode.valueOf(time.format(DateTimeFormatter.ofPattern(pattern.toString())));
    }
}
