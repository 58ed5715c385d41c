package dev.flowstone.dialect.states.format;

import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Nearest;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.dialect.states.fault.StatesFault;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * Whether a value is of the format's shape. After it every property is of the type that the table says, so that nobody
 * else has to ask. Nesting is bounded by the parser's limit, work by the text's length.
 */
public final class ShapeCheck {
    private final Faults faults;
    private final Nearest nearest;

    public ShapeCheck(Faults faults, Nearest nearest) {
        this.faults = faults;
        this.nearest = nearest;
    }

    /** The workflow, if it is an object of this dialect. */
    public Optional<JsonObject> check(JsonValue root) {
        if (!(root instanceof JsonObject object)) {
            faults.add(
                    StatesFault.WRONG_TYPE,
                    "",
                    "a workflow must be an object, but is " + word(root),
                    "begin with { \"$schema\": \"" + Format.SCHEMA
                            + "\", \"id\": …, \"start\": …, \"states\": { … } }");
            return Optional.empty();
        }
        if (object.get("$schema") instanceof JsonString schema
                && !schema.value().equals(Format.SCHEMA)) {
            faults.add(
                    StatesFault.UNKNOWN_DIALECT,
                    "/$schema",
                    "this format is not named " + Quoted.text(schema.value()),
                    "write " + Quoted.text(Format.SCHEMA));
            return Optional.empty();
        }
        object(kind(Format.ROOT), object, "");
        return Optional.of(object);
    }

    private void check(Shape shape, JsonValue value, String pointer, String name) {
        switch (shape) {
            case Shape.Text text when value instanceof JsonString it -> text(text, it.value(), pointer, name);
            case Shape.Time time when value instanceof JsonString it -> text(time.text(), it.value(), pointer, name);
            case Shape.Word word when value instanceof JsonString it -> word(word, it.value(), pointer, name);
            case Shape.Whole whole
            when value instanceof JsonNumber it && isWhole(it) ->
                range(BigDecimal.valueOf(whole.least()), BigDecimal.valueOf(whole.most()), it, pointer, name);
            case Shape.Decimal decimal
            when value instanceof JsonNumber it ->
                range(BigDecimal.valueOf(decimal.least()), BigDecimal.valueOf(decimal.most()), it, pointer, name);
            case Shape.Flag _ when value instanceof JsonBoolean -> {}
            case Shape.Anything _ -> {}
            case Shape.AnyObject _ when value instanceof JsonObject -> {}
            case Shape.Items items when value instanceof JsonArray it -> items(items, it.items(), pointer, name);
            case Shape.Named named when value instanceof JsonObject it -> named(named, it, pointer, name);
            case Shape.Ref ref when value instanceof JsonObject it -> object(kind(ref.kind()), it, pointer);
            case Shape.Either either -> either(either, value, pointer, name);
            case Shape.Text _,
                    Shape.Time _,
                    Shape.Word _,
                    Shape.Whole _,
                    Shape.Decimal _,
                    Shape.Flag _,
                    Shape.AnyObject _,
                    Shape.Items _,
                    Shape.Named _,
                    Shape.Ref _ -> wrongType(type(shape), value, pointer, name);
        }
    }

    private void either(Shape.Either either, JsonValue value, String pointer, String name) {
        for (Shape shape : either.shapes()) {
            if (takes(shape, value)) {
                check(shape, value, pointer, name);
                return;
            }
        }
        wrongType(
                String.join(
                        " or ", either.shapes().stream().map(ShapeCheck::type).toList()),
                value,
                pointer,
                name);
    }

    private void object(Kind kind, JsonObject object, String pointer) {
        for (String name : kind.required()) {
            if (object.get(name) == null) {
                faults.add(
                        StatesFault.MISSING_PROPERTY,
                        pointer,
                        kind.title() + " has no " + Quoted.text(name),
                        "add " + Quoted.text(name) + ": " + description(kind, name));
            }
        }
        oneOf(kind, object, pointer);
        object.members().forEach((name, value) -> {
            Kind.Property property = kind.properties().get(name);
            String at = pointer + "/" + JsonPointer.escape(name);
            if (property == null) {
                unknown(kind, name, at);
            } else {
                check(property.shape(), value, at, name);
            }
        });
    }

    private void unknown(Kind kind, String name, String at) {
        List<String> known = List.copyOf(kind.properties().keySet());
        String otherwise =
                "remove it; " + kind.title() + " has " + Quoted.choice(known).replace(" or ", " and ");
        faults.addAtName(
                StatesFault.UNKNOWN_PROPERTY,
                at,
                kind.title() + " has no property " + Quoted.text(name),
                nearest.orElse(name, known, otherwise));
    }

    private void oneOf(Kind kind, JsonObject object, String pointer) {
        List<String> there =
                kind.oneOf().stream().filter(name -> object.get(name) != null).toList();
        String choice = Quoted.choice(kind.oneOf());
        if (there.size() > 1) {
            faults.add(
                    StatesFault.ONE_OF,
                    pointer + "/" + there.get(1),
                    kind.title() + " has " + Quoted.text(there.get(0)) + " and " + Quoted.text(there.get(1)),
                    "keep one of " + choice);
        } else if (kind.demanded() && there.isEmpty()) {
            faults.add(StatesFault.ONE_OF, pointer, kind.title() + " doesn't say what it is", "add one of " + choice);
        }
    }

    private void items(Shape.Items items, List<JsonValue> values, String pointer, String name) {
        if (values.size() < items.least() || values.size() > items.most()) {
            count(values.size(), items.least(), items.most(), pointer, name);
        }
        for (int i = 0; i < Math.min(values.size(), items.most()); i++) {
            check(items.each(), values.get(i), pointer + "/" + i, name);
        }
    }

    private void named(Shape.Named named, JsonObject object, String pointer, String name) {
        if (object.members().size() > named.most()) {
            count(object.members().size(), 0, named.most(), pointer, name);
            return;
        }
        object.members().forEach((each, value) -> {
            String at = pointer + "/" + JsonPointer.escape(each);
            if (!each.matches(name.equals("variables") || name.equals("assign") ? Format.VARIABLE : Format.NAME)) {
                faults.addAtName(
                        StatesFault.BAD_NAME,
                        at,
                        Quoted.text(each) + " can't be a name in " + Quoted.text(name),
                        "use a letter, then at most 59 letters, digits and '_'"
                                + (name.equals("variables") ? "" : " or '-'"));
            }
            check(named.each(), value, at, each);
        });
    }

    private void count(int size, int least, int most, String pointer, String name) {
        faults.add(
                StatesFault.TOO_MANY,
                pointer,
                Quoted.text(name) + " has " + size + " members",
                "give it at least " + least + " and at most " + most);
    }

    private void text(Shape.Text shape, String text, String pointer, String name) {
        if (text.length() > shape.most()) {
            bad(pointer, Quoted.text(name) + " has at most " + shape.most() + " characters", "shorten it");
        } else if (text.chars().anyMatch(c -> Character.isISOControl(c) && "\t\n\r".indexOf(c) < 0)) {
            bad(pointer, Quoted.text(name) + " has a control character", "remove it");
        } else if (!shape.fits(text)) {
            bad(
                    pointer,
                    Quoted.text(text) + " isn't of the form that " + Quoted.text(name) + " takes",
                    "write it like " + Quoted.text(shape.example()));
        }
    }

    private void bad(String pointer, String message, String remedy) {
        faults.add(StatesFault.BAD_TEXT, pointer, message, remedy);
    }

    private void word(Shape.Word shape, String text, String pointer, String name) {
        if (!shape.allowed().contains(text)) {
            faults.add(
                    StatesFault.NOT_ALLOWED,
                    pointer,
                    Quoted.text(name) + " is " + Quoted.choice(shape.allowed()) + ", not " + Quoted.text(text),
                    nearest.orElse(text, shape.allowed(), "write one of them"));
        }
    }

    private void range(BigDecimal least, BigDecimal most, JsonNumber number, String pointer, String name) {
        BigDecimal value = number.decimalValue();
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            faults.add(
                    StatesFault.OUT_OF_RANGE,
                    pointer,
                    Quoted.text(name) + " can't be " + Quoted.cut(number.toString(), 30),
                    "write a number from " + least.toPlainString() + " to " + most.toPlainString());
        }
    }

    private void wrongType(String demanded, JsonValue value, String pointer, String name) {
        faults.add(
                StatesFault.WRONG_TYPE,
                pointer,
                Quoted.text(name) + " must be " + demanded + ", but is " + word(value),
                value == JsonNull.NULL ? "give it a value, or leave it out" : "make it " + demanded);
    }

    private static Kind kind(String name) {
        Kind kind = Format.KINDS.get(name);
        if (kind == null) {
            throw new IllegalStateException("the format has no " + name);
        }
        return kind;
    }

    private static String description(Kind kind, String name) {
        Kind.Property property = kind.properties().get(name);
        return property == null ? name : property.description();
    }

    private static boolean takes(Shape shape, JsonValue value) {
        return switch (shape) {
            case Shape.Text _, Shape.Time _, Shape.Word _ -> value instanceof JsonString;
            case Shape.Whole _, Shape.Decimal _ -> value instanceof JsonNumber;
            case Shape.Flag _ -> value instanceof JsonBoolean;
            case Shape.Anything _ -> true;
            case Shape.AnyObject _, Shape.Named _, Shape.Ref _ -> value instanceof JsonObject;
            case Shape.Items _ -> value instanceof JsonArray;
            case Shape.Either either -> either.shapes().stream().anyMatch(it -> takes(it, value));
        };
    }

    private static String type(Shape shape) {
        return switch (shape) {
            case Shape.Text _, Shape.Time _, Shape.Word _ -> "a string";
            case Shape.Whole _ -> "a whole number";
            case Shape.Decimal _ -> "a number";
            case Shape.Flag _ -> "true or false";
            case Shape.Anything _ -> "a value";
            case Shape.AnyObject _, Shape.Named _, Shape.Ref _ -> "an object";
            case Shape.Items _ -> "an array";
            case Shape.Either either -> type(either.shapes().getFirst());
        };
    }

    private static String word(JsonValue value) {
        return switch (value) {
            case JsonObject _ -> "an object";
            case JsonArray _ -> "an array";
            case JsonString _ -> "a string";
            case JsonNumber number -> "the number " + Quoted.cut(number.toString(), 30);
            case JsonBoolean bool -> bool.value() ? "true" : "false";
            case JsonNull _ -> "null";
        };
    }

    private static boolean isWhole(JsonNumber number) {
        return number.decimalValue().stripTrailingZeros().scale() <= 0;
    }
}
