package dev.flowstone.dialect.states.format;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The format's table as JSON Schema (draft-07), for editors. It refuses what {@link ShapeCheck} refuses, and of times also what
 * is judged later, as far as a pattern can say it.
 */
public final class SchemaWriter {
    /** As ISO 8601 has it without years, months and weeks; signs are for the reader, who adds them up. */
    private static final String DURATION = duration();

    private static final String INSTANT =
            "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,9})?)?"
                    + "([Zz]|[+-](0[0-9]|1[0-8]):[0-5][0-9](:[0-5][0-9])?)";

    private static final String TEMPLATE = "[\\s\\S]*\\{\\{[\\s\\S]*";

    private SchemaWriter() {}

    public static JsonObject schema() {
        JsonObject.Builder kinds = JsonObject.builder();
        Format.KINDS.forEach((name, kind) -> kinds.put(name, kind(kind)));
        return JsonObject.builder()
                .put("$schema", "http://json-schema.org/draft-07/schema#")
                .put("$id", Format.SCHEMA)
                .put("title", "Flowstone workflow, format states 1")
                .put("$ref", "#/definitions/" + Format.ROOT)
                .put("definitions", kinds.build())
                .build();
    }

    private static JsonObject kind(Kind kind) {
        JsonObject.Builder properties = JsonObject.builder();
        kind.properties().forEach((name, it) -> properties.put(name, property(name, it)));
        JsonObject.Builder schema = JsonObject.builder()
                .put("type", "object")
                .put("properties", properties.build())
                .put("additionalProperties", false);
        if (!kind.required().isEmpty()) {
            schema.put("required", strings(kind.required()));
        }
        if (kind.demanded()) {
            schema.put(
                    "oneOf",
                    new JsonArray(kind.oneOf().stream()
                            .map(name -> (JsonValue) JsonObject.builder()
                                    .put("required", strings(List.of(name)))
                                    .build())
                            .toList()));
        } else if (!kind.oneOf().isEmpty()) {
            schema.put("allOf", exclusions(kind.oneOf()));
        }
        return schema.build();
    }

    /** No two of them together: each forbids those after it. */
    private static JsonArray exclusions(List<String> names) {
        List<JsonValue> rules = new ArrayList<>();
        for (int i = 0; i + 1 < names.size(); i++) {
            List<JsonValue> others = new ArrayList<>();
            for (String other : names.subList(i + 1, names.size())) {
                others.add(JsonObject.builder()
                        .put("required", strings(List.of(other)))
                        .build());
            }
            rules.add(JsonObject.builder()
                    .put(
                            "if",
                            JsonObject.builder()
                                    .put("required", strings(List.of(names.get(i))))
                                    .build())
                    .put(
                            "then",
                            JsonObject.builder()
                                    .put(
                                            "not",
                                            JsonObject.builder()
                                                    .put("anyOf", new JsonArray(others))
                                                    .build())
                                    .build())
                    .build());
        }
        return new JsonArray(rules);
    }

    private static JsonObject property(String name, Kind.Property property) {
        JsonObject.Builder schema = JsonObject.builder().put("description", property.description());
        // Beside a $ref draft-07 reads nothing.
        if (property.shape() instanceof Shape.Ref) {
            schema.put("allOf", new JsonArray(List.of(shape(name, property.shape()))));
        } else {
            shape(name, property.shape()).members().forEach(schema::put);
        }
        return schema.build();
    }

    private static JsonObject shape(String name, Shape shape) {
        JsonObject.Builder schema = JsonObject.builder();
        switch (shape) {
            case Shape.Text text -> {
                schema.put("type", "string").put("maxLength", text.most());
                if (!text.pattern().isEmpty()) {
                    schema.put("pattern", pattern(text.pattern()));
                }
            }
            case Shape.Time time -> time(time, schema);
            case Shape.Word word -> schema.put("enum", strings(word.allowed()));
            case Shape.Whole whole ->
                schema.put("type", "integer").put("minimum", whole.least()).put("maximum", whole.most());
            case Shape.Decimal decimal ->
                schema.put("type", "number")
                        .put("minimum", JsonNumber.of(decimal.least()))
                        .put("maximum", JsonNumber.of(decimal.most()));
            case Shape.Flag _ -> schema.put("type", "boolean");
            case Shape.Anything _ -> {}
            case Shape.AnyObject _ -> schema.put("type", "object");
            case Shape.Items items ->
                schema.put("type", "array")
                        .put("items", shape(name, items.each()))
                        .put("minItems", items.least())
                        .put("maxItems", items.most());
            case Shape.Named named ->
                schema.put("type", "object")
                        .put(
                                "propertyNames",
                                JsonObject.builder()
                                        .put("pattern", pattern(names(name)))
                                        .build())
                        .put("additionalProperties", shape(name, named.each()))
                        .put("maxProperties", named.most());
            case Shape.Ref ref -> schema.put("$ref", "#/definitions/" + ref.kind());
            case Shape.Either either -> schema.put("anyOf", either(name, either));
        }
        return schema.build();
    }

    /** Told apart by type; a shape after one of the same type takes what isn't of that type. */
    private static JsonArray either(String name, Shape.Either either) {
        List<JsonValue> schemas = new ArrayList<>();
        for (Shape shape : either.shapes()) {
            boolean rest = shape instanceof Shape.Anything && !schemas.isEmpty();
            JsonObject other = JsonObject.builder()
                    .put("not", JsonObject.builder().put("type", "object").build())
                    .build();
            schemas.add(rest ? other : shape(name, shape));
        }
        return new JsonArray(schemas);
    }

    private static String names(String property) {
        return property.equals("variables") || property.equals("assign") ? Format.VARIABLE : Format.NAME;
    }

    private static void time(Shape.Time time, JsonObject.Builder schema) {
        String form = time.of() == Shape.Time.Of.INSTANT ? INSTANT : DURATION;
        schema.put("type", "string").put("maxLength", time.text().most());
        schema.put("pattern", pattern(time.template() ? form + "|" + TEMPLATE : form));
        if (time.of() == Shape.Time.Of.SPAN) {
            // One of its numbers isn't zero.
            schema.put("anyOf", new JsonArray(List.of(holding("[1-9]"), holding("\\{\\{"))));
        }
    }

    private static JsonObject holding(String pattern) {
        return JsonObject.builder().put("pattern", pattern).build();
    }

    private static String duration() {
        String days = "[0-9]+[Dd]";
        String hours = "[0-9]+[Hh]";
        String minutes = "[0-9]+[Mm]";
        String seconds = "[0-9]+([.,][0-9]{0,9})?[Ss]";
        String time = "[Tt](" + hours + "(" + minutes + ")?(" + seconds + ")?|" + minutes + "(" + seconds + ")?|"
                + seconds + ")";
        return "P(" + days + "(" + time + ")?|" + time + ")";
    }

    private static String pattern(String whole) {
        return "^(" + whole + ")$";
    }

    private static JsonArray strings(Collection<String> texts) {
        return new JsonArray(
                texts.stream().map(text -> (JsonValue) new JsonString(text)).toList());
    }
}
