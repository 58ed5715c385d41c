package dev.flowstone.bench.rig;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskHandler;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** The action of the workloads: it does nothing, but counts that it was called, and answers so many bytes. */
public final class NoOps {
    public static final String ACTION = "bench.no-op";

    /** Done by a {@link WorkerProcess}. */
    public static final String REMOTE_ACTION = "bench.remote";

    private final LongAdder calls = new LongAdder();
    private final int payloadBytes;

    public NoOps() {
        this(0);
    }

    /** One that answers text of so many bytes, different each time so that no store can keep it once for all. */
    public NoOps(int payloadBytes) {
        this.payloadBytes = payloadBytes;
    }

    public long calls() {
        return calls.sum();
    }

    public HandlerRegistry registry() {
        ActionDescription description = new ActionDescription(new HandlerName(ACTION), "Does nothing.", List.of());
        return HandlerRegistry.builder()
                .addAll(BuiltInActions.registry())
                .action(description, handler())
                .build();
    }

    private TaskHandler handler() {
        if (payloadBytes == 0) {
            return call -> {
                calls.increment();
                return TaskResult.ok(JsonObject.EMPTY);
            };
        }
        byte[] filling = new byte[payloadBytes];
        Arrays.fill(filling, (byte) 'x');
        return call -> {
            calls.increment();
            return TaskResult.ok(JsonObject.builder()
                    .put("data", text(filling, call.key().toString()))
                    .build());
        };
    }

    private static JsonString text(byte[] filling, String different) {
        byte[] own = filling.clone();
        byte[] head = different.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(head, 0, own, 0, Math.min(head.length, own.length));
        return new JsonString(new String(own, StandardCharsets.US_ASCII));
    }
}
