package dev.flowstone.connectors.core;

import dev.flowstone.action.Action;
import dev.flowstone.action.ActionContext;
import dev.flowstone.action.ActionResult;
import dev.flowstone.action.ActionSpec;
import dev.flowstone.action.Param;
import dev.flowstone.action.ParameterFault;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code core.transform}: answers a value that was put together from templates. Of an object, in this order: the members that are wanted
 * are picked, some get another name, and those that are missing or null get a default.
 */
final class Transform implements Action<Transform.Parameters, JsonNode> {
    record Parameters(
            @Param("what is answered, or made something of") JsonNode value,

            @Param(value = "the members to be kept; all if it is left out", maxLength = 1_000)
            Optional<List<String>> pick,

            @Param("new names by old ones") Optional<Map<String, String>> rename,

            @Param("values for members that are missing or null, by their new names")
            Optional<Map<String, JsonNode>> defaults) {}

    @Override
    public ActionSpec<Parameters, JsonNode> spec() {
        return ActionSpec.of("core.transform", Parameters.class, JsonNode.class)
                .described(
                        "Transform",
                        "Answers a value that templates fill in; of an object it picks, renames and completes members.")
                .category("Data", "json", "map")
                .build();
    }

    @Override
    public List<ParameterFault> check(Parameters parameters) {
        List<ParameterFault> faults = new ArrayList<>();
        boolean isForObjects = parameters.pick().isPresent()
                || parameters.rename().isPresent()
                || parameters.defaults().isPresent();
        if (isForObjects && !parameters.value().isObject()) {
            faults.add(new ParameterFault("/value", "pick, rename and defaults are for an object"));
        }
        if (parameters.value() instanceof ObjectNode object) {
            Set<String> names = new HashSet<>();
            for (String name : object.propertyNames()) {
                if (isPicked(parameters, name) && !names.add(renamed(parameters, name))) {
                    faults.add(new ParameterFault("/rename", "two members would get one name: give them two"));
                }
            }
        }
        return faults;
    }

    private static boolean isPicked(Parameters parameters, String name) {
        return parameters.pick().map(wanted -> wanted.contains(name)).orElse(true);
    }

    private static String renamed(Parameters parameters, String name) {
        return parameters.rename().map(names -> names.get(name)).orElse(name);
    }

    @Override
    public ActionResult<JsonNode> run(Parameters parameters, ActionContext context) {
        if (!(parameters.value() instanceof ObjectNode object)) {
            return ActionResult.succeeded(parameters.value());
        }
        ObjectNode out = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            if (isPicked(parameters, member.getKey())) {
                out.set(renamed(parameters, member.getKey()), member.getValue());
            }
        }
        parameters.defaults().orElse(Map.of()).forEach((name, value) -> {
            if (!out.hasNonNull(name)) {
                out.set(name, value);
            }
        });
        return ActionResult.succeeded(out);
    }
}
