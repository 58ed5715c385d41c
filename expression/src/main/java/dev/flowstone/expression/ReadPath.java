package dev.flowstone.expression;

/** The text of a member chain, as in {@code context.data['get-item'].items[0]}, however its author wrote it. */
final class ReadPath {
    private ReadPath() {}

    /** How many links from the beginning are members, not calls. */
    static int leadingMembers(Link[] links) {
        int count = 0;
        while (count < links.length && isMember(links[count])) {
            count++;
        }
        return count;
    }

    private static boolean isMember(Link link) {
        return link instanceof Link.Named || link instanceof Link.Indexed || link instanceof Link.Computed;
    }

    static boolean isFixed(Link[] links, int count) {
        for (int i = 0; i < count; i++) {
            if (links[i] instanceof Link.Computed) {
                return false;
            }
        }
        return true;
    }

    static String fixed(String root, Link[] links, int count) {
        StringBuilder text = new StringBuilder(root);
        for (int i = 0; i < count; i++) {
            append(text, links[i]);
        }
        return text.toString();
    }

    static void append(StringBuilder text, Link link) {
        if (link instanceof Link.Named named) {
            appendKey(text, named.name(), false);
        } else if (link instanceof Link.Indexed indexed) {
            text.append('[').append(indexed.index()).append(']');
        }
    }

    /** Names long beyond use are cut: the whole path is cut later anyway. */
    static void appendKey(StringBuilder text, String key, boolean number) {
        String name = key.length() <= Reads.MOST_CHARS ? key : Fault.cut(key, Reads.MOST_CHARS);
        if (text.length() > Reads.MOST_CHARS) {
            return;
        }
        if (number) {
            text.append('[').append(name).append(']');
        } else if (isIdentifier(name)) {
            text.append('.').append(name);
        } else {
            text.append("['")
                    .append(name.replace("\\", "\\\\").replace("'", "\\'"))
                    .append("']");
        }
    }

    private static boolean isIdentifier(String name) {
        return !name.isEmpty()
                && Character.isJavaIdentifierStart(name.charAt(0))
                && name.chars().allMatch(Character::isJavaIdentifierPart);
    }
}
