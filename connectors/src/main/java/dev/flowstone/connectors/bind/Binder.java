package dev.flowstone.connectors.bind;

import static java.util.Objects.requireNonNull;

import dev.flowstone.action.ParameterFault;
import dev.flowstone.dialect.dag.trigger.Jackson;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.MismatchedInputException;

/**
 * Binds rendered parameters to a record, strictly: nothing unknown, nothing missing, no type for another, nothing out of range. Tells
 * all faults that it can see at once; those that only a record's constructor knows, one of each parameter. Thread-safe.
 *
 * @param <P> a record, or {@link JsonNode} for whatever comes
 */
public final class Binder<P> {
    /** Of one attempt; who has more mends these first. */
    private static final int MOST = 50;

    private static final int LONGEST = 300;

    private final Class<P> type;
    private final JsonObject shape;
    private final SchemaFaults shapeFaults;
    private final Optional<SchemaFaults> further;

    /**
     * For one action.
     *
     * @param given a schema that its author wrote, checked besides what the record demands
     * @throws IllegalArgumentException if there is no binding to this type; it says why
     * @throws com.networknt.schema.SchemaException if a schema can't be used
     */
    public Binder(Class<P> type, Optional<JsonObject> given) {
        if (!type.isRecord() && type != JsonNode.class) {
            throw new IllegalArgumentException("parameters are a record, or a JsonNode, not a " + type.getName());
        }
        this.type = requireNonNull(type);
        this.shape = RecordSchema.of(type);
        this.shapeFaults = new SchemaFaults(Formats.without(shape));
        this.further = given.map(SchemaFaults::new);
    }

    /** What the record demands. */
    public JsonObject shape() {
        return shape;
    }

    /** Makes the record. */
    public Bound<P> bind(JsonValue rendered) {
        JsonValue given =
                Nulls.without(type.isRecord() && rendered == JsonNull.NULL ? JsonObject.EMPTY : rendered, shape);
        List<ParameterFault> faults = sorted(
                Stream.concat(shapeFaults.of(given).stream(), further.stream().flatMap(it -> it.of(given).stream())));
        if (!faults.isEmpty()) {
            return new Bound.Faulty<>(faults);
        }
        JsonNode node = Jackson.node(given);
        try {
            return new Bound.Parameters<>(requireNonNull(Mapping.STRICT.treeToValue(node, type)));
        } catch (JacksonException e) {
            List<ParameterFault> each = components(node);
            return new Bound.Faulty<>(each.isEmpty() ? List.of(fault("", e)) : sorted(each.stream()));
        }
    }

    /**
     * What is wrong with parameters as a definition has them, whatever their templates will be filled in with: members that hold one are
     * there, and nothing else is known of them.
     */
    public List<ParameterFault> look(JsonObject written) {
        Map<String, JsonValue> plain = new LinkedHashMap<>();
        written.members().forEach((name, value) -> {
            if (!isTemplated(value)) {
                plain.put(name, value);
            }
        });
        boolean whole = plain.size() == written.members().size();
        JsonValue known = Nulls.without(JsonObject.of(plain), shape);
        Stream<ParameterFault> faults =
                shapeFaults.of(known).stream().filter(fault -> !isTemplatedMember(fault.path(), written, plain));
        return sorted(whole ? Stream.concat(faults, further.stream().flatMap(it -> it.of(known).stream())) : faults);
    }

    private static boolean isTemplatedMember(String path, JsonObject written, Map<String, JsonValue> plain) {
        return JsonPointer.parse(path).tokens().stream()
                .findFirst()
                .filter(name -> written.get(name) != null && !plain.containsKey(name))
                .isPresent();
    }

    private static boolean isTemplated(JsonValue value) {
        return switch (value) {
            case JsonString(String text) -> text.contains("{{");
            case JsonArray array -> array.items().stream().anyMatch(Binder::isTemplated);
            case JsonObject object -> object.members().values().stream().anyMatch(Binder::isTemplated);
            default -> false;
        };
    }

    /** Each parameter alone, so that one that is refused doesn't hide another. */
    private List<ParameterFault> components(JsonNode node) {
        List<ParameterFault> faults = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            String name = Components.name(component);
            @Nullable JsonNode member = node.get(name);
            if (member != null) {
                try {
                    Mapping.STRICT.treeToValue(member, Mapping.STRICT.constructType(component.getGenericType()));
                } catch (JacksonException e) {
                    faults.add(fault("/" + JsonPointer.escape(name), e));
                }
            }
        }
        return faults;
    }

    private ParameterFault fault(String at, JacksonException refused) {
        StringBuilder path = new StringBuilder(at);
        for (JacksonException.Reference step : refused.getPath()) {
            @Nullable String name = step.getPropertyName();
            path.append('/').append(name == null ? Integer.toString(step.getIndex()) : JsonPointer.escape(name));
        }
        return new ParameterFault(path.toString(), Quoted.cut(message(refused), LONGEST));
    }

    /** A record's own words, if its constructor has refused it; Jackson's, and those of what the constructor calls, would repeat the value. */
    private String message(JacksonException refused) {
        @Nullable Throwable cause = refused.getCause();
        if (cause instanceof IllegalArgumentException || cause instanceof NullPointerException) {
            return isOwn(cause) && cause.getMessage() != null ? cause.getMessage() : "the action refuses it";
        }
        @Nullable
        Class<?> target = refused instanceof MismatchedInputException mismatch ? mismatch.getTargetType() : null;
        return target == null ? "the action refuses it" : "it is no " + target.getSimpleName();
    }

    /** Whether a record's constructor itself has thrown it. */
    private boolean isOwn(Throwable cause) {
        StackTraceElement[] frames = cause.getStackTrace();
        if (cause.getClass() != IllegalArgumentException.class
                || frames.length == 0
                || !frames[0].getMethodName().equals("<init>")) {
            return false;
        }
        try {
            return Class.forName(frames[0].getClassName(), false, type.getClassLoader())
                    .isRecord();
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    private static List<ParameterFault> sorted(Stream<ParameterFault> faults) {
        return faults.distinct()
                .sorted(Comparator.comparing(ParameterFault::path).thenComparing(ParameterFault::message))
                .limit(MOST)
                .toList();
    }
}
