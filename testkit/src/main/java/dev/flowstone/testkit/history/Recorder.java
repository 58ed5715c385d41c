package dev.flowstone.testkit.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes down what clients ask and are told, whichever threads they are on. Its clock counts: an operation has the lower tick
 * exactly if it came first, so that an operation that returned before another was invoked is known to.
 *
 * @param <I> what is asked
 * @param <O> what is answered
 */
public final class Recorder<I, O> {
    private final AtomicLong clock = new AtomicLong();
    private final Queue<Call<I, O>> calls = new ConcurrentLinkedQueue<>();

    /** To be called before the operation is sent anywhere; its end is told to what this returns. */
    public Call<I, O> invoke(String client, I input) {
        Call<I, O> call = new Call<>(clock, client, input);
        calls.add(call);
        return call;
    }

    /** What has been told until now; operations that haven't ended yet count as unknown. Those that were refused are left out. */
    public History<I, O> history() {
        List<Operation<I, O>> operations = new ArrayList<>();
        for (Call<I, O> call : calls) {
            call.operation().ifPresent(operations::add);
        }
        return new History<>(operations);
    }
}
