package dev.flowstone.server.kill;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.function.Predicate;

/** Where things lie, as a state's canonical form says: the tree of scopes is nobody else's business. */
final class Snapshots {
    private Snapshots() {}

    /** Number of the scope instance that an activation lies in. */
    static int scopeOf(JsonObject state, ActivationId activation) {
        JsonObject node = one(
                state, "nodes", it -> text(it, "node").equals(activation.node().value()));
        return number(one(node, "activations", it -> number(it, "visit") == activation.visit()), "scope");
    }

    static JsonObject scope(JsonObject state, int number) {
        return one(state, "scopes", it -> number(it, "number") == number);
    }

    /** Of a scope instance among its neighbours: its scope, and its place among the branches of its fork. */
    static String name(JsonObject scope) {
        return text(scope, "scope")
                + (scope.find("branch").orElse(null) instanceof JsonObject branch ? "-" + number(branch, "index") : "");
    }

    static int number(JsonObject object, String member) {
        return ((JsonNumber) object.find(member).orElseThrow()).decimalValue().intValueExact();
    }

    private static String text(JsonObject object, String member) {
        return ((JsonString) object.find(member).orElseThrow()).value();
    }

    private static JsonObject one(JsonObject object, String member, Predicate<JsonObject> which) {
        for (JsonValue value : ((JsonArray) object.find(member).orElseThrow()).items()) {
            if (value instanceof JsonObject item && which.test(item)) {
                return item;
            }
        }
        throw new AssertionError("no such one in " + member);
    }
}
