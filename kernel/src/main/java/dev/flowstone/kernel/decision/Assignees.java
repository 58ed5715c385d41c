package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who a rule names: a list of {@code {"user": id}}, {@code {"role": name}} and plain ids of users, each counted once. An
 * element that is null or empty names nobody.
 *
 * @param parties in the order of the rule; empty only with an error
 */
record Assignees(List<Party> parties, Optional<TaskError> error) {
    Assignees {
        parties = List.copyOf(parties);
    }

    /** @param most that may be asked */
    static Assignees of(JsonValue rendered, int most) {
        Set<Party> found = new LinkedHashSet<>();
        for (JsonValue item : items(rendered)) {
            if (!names(item, found)) {
                return fault(
                        "INVALID_ASSIGNEES",
                        "who is asked is a list of {\"user\": id}, {\"role\": name} and ids of users of at most "
                                + Party.MAX_LENGTH + " characters");
            }
        }
        if (found.isEmpty()) {
            return fault("NO_ASSIGNEE", "the assignment rule finds nobody");
        }
        if (found.size() > most) {
            return fault("TOO_MANY_ASSIGNEES", "at most " + most + " are asked, not " + found.size());
        }
        return new Assignees(new ArrayList<>(found), Optional.empty());
    }

    private static List<JsonValue> items(JsonValue rendered) {
        return switch (rendered) {
            case JsonArray list -> list.items();
            case JsonNull _ -> List.of();
            default -> List.of(rendered);
        };
    }

    /** Whether it is well-formed; if it names somebody, that one is added. */
    private static boolean names(JsonValue item, Set<Party> found) {
        return switch (item) {
            case JsonNull _ -> true;
            case JsonString user -> add(Party.Kind.USER, user.value(), found);
            case JsonObject object -> {
                if (object.members().size() != 1) {
                    yield false;
                }
                Map.Entry<String, JsonValue> member =
                        object.members().entrySet().iterator().next();
                Optional<Party.Kind> kind = switch (member.getKey()) {
                    case "user" -> Optional.of(Party.Kind.USER);
                    case "role" -> Optional.of(Party.Kind.ROLE);
                    default -> Optional.empty();
                };
                yield switch (member.getValue()) {
                    case JsonNull _ -> kind.isPresent();
                    case JsonString name -> kind.isPresent() && add(kind.get(), name.value(), found);
                    default -> false;
                };
            }
            default -> false;
        };
    }

    private static boolean add(Party.Kind kind, String id, Set<Party> found) {
        if (id.length() > Party.MAX_LENGTH) {
            return false;
        }
        if (!id.isEmpty()) {
            found.add(new Party(kind, id));
        }
        return true;
    }

    private static Assignees fault(String code, String message) {
        return new Assignees(List.of(), Optional.of(TaskError.of(code, message)));
    }
}
