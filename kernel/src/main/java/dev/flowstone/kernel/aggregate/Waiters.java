package dev.flowstone.kernel.aggregate;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;

/** The form of a waiter in snapshots. */
final class Waiters {
    private Waiters() {}

    static JsonObject.Builder write(Waiter waiter) {
        return JsonObject.builder()
                .put("run", waiter.run().toString())
                .put("activation", waiter.activation().toString());
    }

    static Waiter read(JsonCursor at) {
        return new Waiter(at.as("run", RunId::parse), at.as("activation", ActivationId::parse));
    }
}
