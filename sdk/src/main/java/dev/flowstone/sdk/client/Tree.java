package dev.flowstone.sdk.client;

import static java.util.Objects.requireNonNull;

import java.io.Serial;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * An object of an answer. What must be there and isn't, or is of another type, is said with its place; what nobody asks for is left
 * aside. Null counts as absent.
 */
final class Tree {
    private final JsonNode node;
    private final String pointer;

    private Tree(JsonNode node, String pointer) {
        this.node = node;
        this.pointer = pointer;
    }

    static Tree of(JsonNode node) {
        return of(node, "");
    }

    private static Tree of(JsonNode node, String pointer) {
        requireNonNull(node);
        if (!node.isObject()) {
            throw new MisreadException(pointer, "an object", node);
        }
        return new Tree(node, pointer);
    }

    /** Something in an answer isn't what it must be. */
    static final class MisreadException extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1;

        MisreadException(String pointer, String expected, JsonNode found) {
            super("at '" + pointer + "' there must be " + expected + ", and there is "
                    + (found.isMissingNode()
                            ? "nothing"
                            : "a value of type " + found.getNodeType().name().toLowerCase(Locale.ROOT)));
        }
    }

    JsonNode json() {
        return node;
    }

    /** A text that isn't empty. */
    String text(String member) {
        return maybeText(member).filter(text -> !text.isEmpty()).orElseThrow(() -> misread(member, "a text"));
    }

    String textOrEmpty(String member) {
        return maybeText(member).orElse("");
    }

    Optional<String> maybeText(String member) {
        return at(member).map(value -> {
            if (!value.isString()) {
                throw misread(member, "a text");
            }
            return value.stringValue();
        });
    }

    /** 0 if it is absent. */
    long number(String member) {
        return maybeNumber(member).orElse(0L);
    }

    Optional<Long> maybeNumber(String member) {
        return at(member).map(value -> {
            if (!value.canConvertToLong()) {
                throw misread(member, "a whole number");
            }
            return value.longValue();
        });
    }

    /** 0 if it is absent. */
    int count(String member) {
        return maybeCount(member).orElse(0);
    }

    Optional<Integer> maybeCount(String member) {
        return maybeNumber(member).map(Math::toIntExact);
    }

    /** False if it is absent. */
    boolean flag(String member) {
        return at(member)
                .map(value -> {
                    if (!value.isBoolean()) {
                        throw misread(member, "true or false");
                    }
                    return value.booleanValue();
                })
                .orElse(false);
    }

    Instant time(String member) {
        return maybeTime(member).orElseThrow(() -> misread(member, "a time"));
    }

    Optional<Instant> maybeTime(String member) {
        return maybeText(member).map(text -> {
            try {
                return Instant.parse(text);
            } catch (DateTimeException e) {
                throw misread(member, "a time");
            }
        });
    }

    /** JSON's null if it is absent. */
    JsonNode json(String member) {
        return at(member).orElseGet(JsonNodeFactory.instance::nullNode);
    }

    Optional<Tree> maybe(String member) {
        return at(member).map(value -> of(value, pointer + "/" + member));
    }

    /** Empty if it is absent. */
    <T> List<T> list(String member, Function<Tree, T> read) {
        List<T> items = new ArrayList<>();
        for (JsonNode item : array(member)) {
            items.add(read.apply(of(item, pointer + "/" + member + "/" + items.size())));
        }
        return List.copyOf(items);
    }

    List<String> texts(String member) {
        List<String> items = new ArrayList<>();
        for (JsonNode item : array(member)) {
            if (!item.isString()) {
                throw new MisreadException(pointer + "/" + member + "/" + items.size(), "a text", item);
            }
            items.add(item.stringValue());
        }
        return List.copyOf(items);
    }

    /** A word of a list that may grow: {@code otherwise} stands for those that this release doesn't know, or if it is absent. */
    <E extends Enum<E>> E word(String member, Class<E> words, E otherwise) {
        String said = maybeText(member).orElse("");
        for (E word : words.getEnumConstants()) {
            if (word.name().replace("_", "").equalsIgnoreCase(said.replace("_", ""))) {
                return word;
            }
        }
        return otherwise;
    }

    private JsonNode array(String member) {
        JsonNode value = json(member);
        if (!value.isArray() && !value.isNull()) {
            throw misread(member, "a list");
        }
        return value;
    }

    private Optional<JsonNode> at(String member) {
        JsonNode value = node.path(member);
        return value.isMissingNode() || value.isNull() ? Optional.empty() : Optional.of(value);
    }

    private MisreadException misread(String member, String expected) {
        return new MisreadException(pointer + "/" + member, expected, node.path(member));
    }
}
