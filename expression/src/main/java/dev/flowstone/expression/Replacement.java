package dev.flowstone.expression;

import dev.flowstone.kernel.json.JsonString;

/**
 * {@code replace} and {@code replaceAll} of a string by a string, with JavaScript's patterns in the replacement:
 * {@code $$}, {@code $&}, {@code $`} and {@code $'}.
 */
final class Replacement {
    private Replacement() {}

    static JsonString of(String self, Arguments given, boolean all) {
        String pattern = given.text(0);
        String replacement = given.text(1);
        Search search = new Search(pattern, given.meter());
        MeteredText text = new MeteredText(given.meter());
        int written = 0;
        int found = search.next(self, 0);
        while (found >= 0) {
            given.meter().step();
            text.append(self, written, found);
            expand(replacement, self, found, found + pattern.length(), text);
            written = found + pattern.length();
            int next = Math.max(written, found + 1);
            found = all && next <= self.length() ? search.next(self, next) : -1;
        }
        text.append(self, written, self.length());
        return WellFormed.string(text.toString(), given.position());
    }

    private static void expand(String replacement, String self, int from, int to, MeteredText text) {
        int written = 0;
        int dollar = replacement.indexOf('$');
        while (dollar >= 0 && dollar + 1 < replacement.length()) {
            char kind = replacement.charAt(dollar + 1);
            boolean known = kind == '$' || kind == '&' || kind == '`' || kind == '\'';
            if (known) {
                text.append(replacement, written, dollar);
                switch (kind) {
                    case '$' -> text.append('$');
                    case '&' -> text.append(self, from, to);
                    case '`' -> text.append(self, 0, from);
                    default -> text.append(self, to, self.length());
                }
                written = dollar + 2;
            }
            dollar = replacement.indexOf('$', dollar + (known ? 2 : 1));
        }
        text.append(replacement, written, replacement.length());
    }
}
