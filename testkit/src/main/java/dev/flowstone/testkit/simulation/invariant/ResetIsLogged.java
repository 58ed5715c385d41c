package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.engine.start.ResetRequest;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.testkit.simulation.world.Clients;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.List;
import java.util.Set;

/**
 * R26: who is told that a run begins at a point of another one's past finds it stored, beginning there; a request id names one
 * such run, for as long as it is remembered. It is refused only for what can be wrong with a point, or with a name that was used already.
 */
final class ResetIsLogged implements Invariant {
    private static final Set<String> EXPECTED =
            Set.of("INVALID_COMMAND", "LIMIT_EXCEEDED", "IDEMPOTENCY_KEY_REUSED", "BAD_DATA");

    private final RequestNames<String> names = new RequestNames<>();
    private int seen;

    @Override
    public String number() {
        return "R26";
    }

    @Override
    public void stepped(World world) {
        List<Clients.Reset> told = world.clients().toldOfResets();
        while (seen < told.size()) {
            Clients.Reset reset = told.get(seen);
            seen++;
            switch (reset.answer()) {
                case StartAnswer.Started(RunId run, long _) -> begins(world, reset.request(), run);
                case StartAnswer.Existing(RunId run) -> begins(world, reset.request(), run);
                case StartAnswer.Refused(String code, String _) -> {
                    if (!EXPECTED.contains(code)
                            && !(code.equals("SUSPENDED") && mayBeRefused(world, reset.request()))) {
                        throw broken("a reset is refused: " + reset);
                    }
                }
                case StartAnswer.OtherWorkflow _ -> throw broken("a reset meets another workflow's start: " + reset);
                case StartAnswer.OverQuota _, StartAnswer.Busy _ -> {}
            }
        }
    }

    /** What is set for the scope of the run, which the new one would lie in too, may say so (R25). */
    private static boolean mayBeRefused(World world, ResetRequest request) {
        return world.runs().stream()
                .filter(log -> log.run().run().equals(request.from()))
                .anyMatch(log -> world.mayRefuseStarts(log.state().program().workflow()));
    }

    private void begins(World world, ResetRequest request, RunId run) {
        RunLog log = world.runs().stream()
                .filter(one -> one.run().run().equals(run))
                .findFirst()
                .orElseThrow(() -> broken("an operator is told of run " + run + ", which isn't stored: " + request));
        boolean there = log.events().getFirst().body() instanceof ControlEvent.RunReset reset
                && reset.from().equals(request.from())
                && reset.sequence() == request.sequence();
        if (!there) {
            throw broken(log.name() + " begins with " + log.events().getFirst() + ", not as was asked: " + request);
        }
        request.requestId().ifPresent(id -> {
            if (!names.mayName(world, request.from() + " " + id, log)) {
                throw broken("the request id " + id + " names another run and " + run);
            }
        });
    }
}
