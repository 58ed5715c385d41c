package dev.flowstone.dialect.drawing;

/** Pieces of SVG text. Numbers read the same in every locale, user text is escaped. */
final class SvgText {
    private final StringBuilder out = new StringBuilder();

    SvgText line(String... pieces) {
        for (String piece : pieces) {
            out.append(piece);
        }
        out.append('\n');
        return this;
    }

    /** Text between two tags, or in a quoted attribute. */
    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /** To a tenth of a pixel. */
    static String number(double value) {
        long tenths = Math.round(value * 10);
        String text = Long.toString(Math.abs(tenths) / 10);
        long rest = Math.abs(tenths) % 10;
        return (tenths < 0 ? "-" : "") + text + (rest == 0 ? "" : "." + rest);
    }

    /** {@code name="value"}, with a space before it. */
    static String attribute(String name, double value) {
        return " " + name + "=\"" + number(value) + "\"";
    }

    static String attribute(String name, String value) {
        return " " + name + "=\"" + escape(value) + "\"";
    }

    static String element(String tag, String attributes, String text) {
        return "<" + tag + attributes + ">" + escape(text) + "</" + tag + ">";
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
