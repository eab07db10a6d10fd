package io.clusterwright.mpi.internal.plot;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes SVG elements; coordinates have at most one decimal, text is escaped. */
public final class Svg {
    private final StringBuilder out = new StringBuilder();

    /** A document of this size with a title for those who cannot see it. */
    public Svg(int width, int height, String title) {
        out.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                        + " role=\"img\" font-family=\"DejaVu Sans, Verdana, Helvetica, Arial, sans-serif\">\n",
                width,
                height,
                width,
                height));
        out.append("  <title>").append(escape(title)).append("</title>\n");
        rect(0, 0, width, height, "fill=\"#ffffff\"");
    }

    /** A line. */
    public void line(double x1, double y1, double x2, double y2, String style) {
        element("line", "x1=\"" + n(x1) + "\" y1=\"" + n(y1) + "\" x2=\"" + n(x2) + "\" y2=\"" + n(y2) + "\" " + style);
    }

    /** A rectangle. */
    public void rect(double x, double y, double width, double height, String style) {
        element("rect", box(x, y, width, height) + " " + style);
    }

    private static String box(double x, double y, double width, double height) {
        return "x=\"" + n(x) + "\" y=\"" + n(y) + "\" width=\"" + n(width) + "\" height=\"" + n(height) + "\"";
    }

    /** A circle. */
    public void circle(double x, double y, double radius, String style) {
        element("circle", "cx=\"" + n(x) + "\" cy=\"" + n(y) + "\" r=\"" + n(radius) + "\" " + style);
    }

    /** A line through points. */
    public void polyline(List<double[]> points, String style) {
        String coordinates =
                points.stream().map(point -> n(point[0]) + "," + n(point[1])).collect(Collectors.joining(" "));
        element("polyline", "points=\"" + coordinates + "\" fill=\"none\" " + style);
    }

    /** Text; escaped here. */
    public void text(double x, double y, String style, String text) {
        out.append("  <text x=\"" + n(x) + "\" y=\"" + n(y) + "\" " + style + ">" + escape(text) + "</text>\n");
    }

    /** A rectangle that says what it is when it is pointed at or read aloud. */
    public void rect(double x, double y, double width, double height, String style, String title) {
        out.append(
                "  <rect " + box(x, y, width, height) + " " + style + "><title>" + escape(title) + "</title></rect>\n");
    }

    /** The document. */
    public String finish() {
        return out.append("</svg>\n").toString();
    }

    private void element(String name, String attributes) {
        out.append("  <").append(name).append(' ').append(attributes).append("/>\n");
    }

    /** A coordinate with at most one decimal. */
    public static String n(double value) {
        String text = String.format(Locale.ROOT, "%.1f", value);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    /** Text for XML: markup escaped, what XML 1.0 cannot hold replaced. */
    public static String escape(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                default -> escaped.appendCodePoint(isAllowed(c) ? c : 0xFFFD);
            }
        });
        return escaped.toString();
    }

    private static boolean isAllowed(int c) {
        return c == '\t' || c == '\n' || c >= 0x20 && c <= 0xD7FF || c >= 0xE000 && c <= 0xFFFD || c >= 0x10000;
    }
}
