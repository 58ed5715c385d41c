package dev.flowstone.connectors.registry;

import dev.flowstone.action.ActionSpec;
import dev.flowstone.action.ConnectorSpec;
import java.util.List;
import java.util.Optional;

/** Bounds of what connectors and actions say of themselves, so that a catalog can keep it. */
final class Texts {
    private static final int NAME = 200;
    private static final int WORD = 100;
    private static final int TEXT = 4_000;
    private static final int URL = 2_000;
    private static final int SCHEMA = 256 << 10;
    private static final int MOST_WORDS = 50;

    private Texts() {}

    static void check(ConnectorSpec spec) {
        text("its name", spec.displayName(), NAME);
        text("its description", spec.description(), TEXT);
        text("its icon's address", spec.iconUrl(), URL);
        text("its documentation's address", spec.documentationUrl(), URL);
        text("its kind of credential", spec.authType(), WORD);
        text("its configuration's schema", spec.configSchema(), SCHEMA);
        words("capabilities", "capability", spec.capabilities());
    }

    static void check(ActionSpec<?, ?> spec) {
        String action = "of the action '" + spec.id() + "' the ";
        text(action + "name", spec.displayName(), NAME);
        text(action + "description", spec.description(), TEXT);
        text(action + "category", spec.category(), WORD);
        text(action + "notice that it is to be left", spec.deprecation(), TEXT);
        text(action + "schema of its parameters", spec.parameterSchema(), SCHEMA);
        text(action + "schema of its outputs", spec.outputSchema(), SCHEMA);
        words(action + "tags", action + "tag", spec.tags());
    }

    private static void words(String all, String each, List<String> words) {
        if (words.size() > MOST_WORDS) {
            throw new IllegalArgumentException(all + " are more than " + MOST_WORDS);
        }
        words.forEach(word -> text(each, word, WORD));
    }

    private static void text(String what, Optional<String> text, int most) {
        text.ifPresent(it -> text(what, it, most));
    }

    private static void text(String what, String text, int most) {
        if (text.length() > most) {
            throw new IllegalArgumentException(what + " has more than " + most + " characters");
        }
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(what + " has a character U+0000, which no database keeps");
        }
    }
}
