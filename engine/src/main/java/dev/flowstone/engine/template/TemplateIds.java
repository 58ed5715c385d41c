package dev.flowstone.engine.template;

import java.util.Set;
import java.util.regex.Pattern;

/** The rule that ids of sets and of templates share. */
final class TemplateIds {
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    /** Words that stand in addresses where an id may. */
    private static final Set<String> RESERVED = Set.of("sets", "workflows");

    private TemplateIds() {}

    static void check(String what, String value) {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    what + " has 1 to 100 letters, digits, dots, hyphens and underscores, a letter or digit first");
        }
        if (RESERVED.contains(value)) {
            throw new IllegalArgumentException(what + " isn't 'sets' or 'workflows': addresses have these words");
        }
    }
}
