package dev.flowstone.server.e2e;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/**
 * Random definitions whose outcome does not depend on timing: nodes lead forward only, and read nothing but the trigger and
 * nodes that lie before them on a path. They fail, retry, wait, branch and join.
 */
final class RandomDag {
    private static final List<String> ACTIONS = List.of(
            "core.echo",
            "core.echo",
            "core.echo",
            "core.sometimes-fails",
            "core.sometimes-fails",
            "core.fail",
            "core.delay");
    private static final List<String> OUTCOMES = List.of("success", "success", "success", "always", "failure");

    private final Random random;
    private final int size;
    /** By node, those that lie before it. */
    private final List<TreeSet<Integer>> before = new ArrayList<>();

    private final List<List<JsonValue>> edges = new ArrayList<>();
    private final List<Integer> handlers = new ArrayList<>();

    private RandomDag(Random random) {
        this.random = random;
        this.size = 2 + random.nextInt(9);
    }

    static String definition(String id, Random random) {
        return new RandomDag(random).build(id);
    }

    private String build(String id) {
        for (int i = 0; i < size; i++) {
            before.add(new TreeSet<>());
            edges.add(new ArrayList<>());
            handlers.add(-1);
        }
        for (int to = 1; to < size; to++) {
            link(random.nextInt(to), to);
            for (int more = random.nextInt(3); more > 0; more--) {
                link(random.nextInt(to), to);
            }
        }
        for (int i = 0; i < size - 1; i++) {
            if (random.nextInt(3) > 0) {
                int handler = i + 1 + random.nextInt(size - i - 1);
                handlers.set(i, handler);
                before(i, handler);
            }
        }
        settle();
        List<JsonValue> nodes = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            nodes.add(node(i));
        }
        JsonObject definition = JsonObject.builder()
                .put("id", id)
                .put("displayName", "Random")
                .put("startNode", "n0")
                .put("nodes", new JsonArray(nodes))
                .build();
        return new String(CanonicalJson.exact(definition), StandardCharsets.UTF_8);
    }

    private void link(int from, int to) {
        JsonObject.Builder edge = JsonObject.builder()
                .put("targetNode", "n" + to)
                .put("when", OUTCOMES.get(random.nextInt(OUTCOMES.size())));
        if (random.nextInt(3) == 0) {
            edge.put("condition", condition(from));
        }
        edges.get(from).add(edge.build());
        before(from, to);
    }

    private void before(int from, int to) {
        before.get(to).add(from);
    }

    /** Nodes are numbered along their paths, so one pass is enough. */
    private void settle() {
        for (int i = 0; i < size; i++) {
            for (int earlier : List.copyOf(before.get(i))) {
                before.get(i).addAll(before.get(earlier));
            }
        }
    }

    /** Reads the node that it leads away from, or the trigger; some have an error, which counts as false. */
    private String condition(int from) {
        return switch (random.nextInt(5)) {
            case 0 -> "trigger.n > " + random.nextInt(10);
            case 1 -> "context.data.n" + from + ".v === " + from;
            case 2 -> "context.data['n" + from + "'].nothing.at.all";
            case 3 -> "(context.data.n" + from + ".v ?? 0) % 2 === 0";
            default -> "true";
        };
    }

    private JsonObject node(int i) {
        String action = ACTIONS.get(random.nextInt(ACTIONS.size()));
        JsonObject.Builder node = JsonObject.builder()
                .put("id", "n" + i)
                .put("actionType", action)
                .put("parameters", parameters(i, action))
                .put("routePolicy", random.nextBoolean() ? "parallel" : "firstMatch")
                .put("edges", new JsonArray(edges.get(i)));
        if (!action.equals("core.delay")) {
            node.put("policies", policies());
        }
        if (handlers.get(i) >= 0) {
            node.put("onFailure", "n" + handlers.get(i));
        }
        return node.build();
    }

    private JsonObject parameters(int i, String action) {
        if (action.equals("core.delay")) {
            return JsonObject.builder()
                    .put("durationMs", 1 + random.nextInt(20))
                    .build();
        }
        JsonObject.Builder parameters =
                JsonObject.builder().put("v", i).put("n", "{{ trigger.n }}").put("failures", random.nextInt(4));
        List<Integer> earlier = List.copyOf(before.get(i));
        if (!earlier.isEmpty()) {
            int read = earlier.get(random.nextInt(earlier.size()));
            String fallback = random.nextInt(6) == 0 ? "" : " ?? 'none'";
            parameters.put("before", "{{ context.data['n" + read + "']?.v" + fallback + " }}");
        }
        return parameters.build();
    }

    private JsonObject policies() {
        JsonObject retry = JsonObject.builder()
                .put("maxAttempts", JsonNumber.of(random.nextInt(5)))
                .put("baseDelayMs", random.nextInt(3))
                .put("jitter", random.nextBoolean())
                .build();
        return JsonObject.builder().put("retry", retry).build();
    }
}
