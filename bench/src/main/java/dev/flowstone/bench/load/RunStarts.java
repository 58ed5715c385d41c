package dev.flowstone.bench.load;

import dev.flowstone.engine.Engine;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.start.StartRequest;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Starts runs through the engine's door, and tells the meter of those that began. */
public final class RunStarts {
    private final Engine engine;
    private final LoadMeter meter;
    private final Supplier<StartRequest> requests;
    private final Consumer<RunKey> began;

    public RunStarts(Engine engine, LoadMeter meter, Supplier<StartRequest> requests) {
        this(engine, meter, requests, run -> {});
    }

    /** The same where somebody else wants to know them, too; told on engine threads. */
    public RunStarts(Engine engine, LoadMeter meter, Supplier<StartRequest> requests, Consumer<RunKey> began) {
        this.engine = engine;
        this.meter = meter;
        this.requests = requests;
        this.began = began;
    }

    public LoadMeter meter() {
        return meter;
    }

    /**
     * Starts one.
     *
     * @param since when it was to be started
     * @param refused is told if it didn't begin, whether refused or by a fault; its place is then free, too
     */
    public void one(long since, Runnable refused) {
        StartRequest request = requests.get();
        meter.beginning();
        var _ = engine.start(request).whenComplete((answer, failure) -> {
            if (answer instanceof StartAnswer.Started started) {
                RunKey run = new RunKey(request.tenant(), started.run());
                meter.began(run, since);
                began.accept(run);
            } else {
                refused.run();
                meter.places().release();
            }
            meter.knows();
        });
    }
}
