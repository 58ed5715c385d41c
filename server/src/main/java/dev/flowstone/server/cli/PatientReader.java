package dev.flowstone.server.cli;

import static java.util.Objects.requireNonNull;

import dev.flowstone.server.client.ServerAnswer;
import dev.flowstone.server.client.ServerCall;
import java.time.Duration;
import java.util.Set;

/**
 * Reads from a server that may go away for a while, as at a restart: once it has answered, what nobody answers is asked again, ever later,
 * for three minutes after its last answer. Each time is told on standard error.
 */
final class PatientReader {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    /** Said by what stands before a server that is away, and by a server that is about to be ready. */
    private static final Set<Integer> AWAY = Set.of(502, 503, 504);

    private final Server server;
    private final Terminal terminal;
    private final Time time;
    private boolean answered;

    /** Who is asked; it takes as long as it takes until nobody has answered. */
    interface Server {
        ServerAnswer call(ServerCall call) throws InterruptedException;
    }

    /** Whose time it is, which tests let pass. */
    interface Time {
        Time MACHINE = new Time() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public void pass(Duration pause) throws InterruptedException {
                Thread.sleep(pause);
            }
        };

        long nanos();

        void pass(Duration pause) throws InterruptedException;
    }

    PatientReader(Server server, Terminal terminal, Time time) {
        this.server = requireNonNull(server);
        this.terminal = requireNonNull(terminal);
        this.time = requireNonNull(time);
    }

    ServerAnswer read(ServerCall call) throws InterruptedException {
        long begun = time.nanos();
        ServerAnswer answer = server.call(call);
        Duration pause = FIRST_PAUSE;
        while (answered && isAway(answer) && time.nanos() - begun + pause.toNanos() <= PATIENCE.toNanos()) {
            tell("lost the server: " + reason(answer) + "; asking again in " + pause.toMillis() / 1000.0 + " s, for "
                    + PATIENCE.toMinutes() + " minutes in all");
            time.pass(pause);
            answer = server.call(call);
            if (!isAway(answer)) {
                tell("the server is back, and so it goes on");
            }
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
        answered |= answer instanceof ServerAnswer.Done;
        return answer;
    }

    private static boolean isAway(ServerAnswer answer) {
        return switch (answer) {
            case ServerAnswer.Silent _ -> true;
            case ServerAnswer.Refused refused -> AWAY.contains(refused.status());
            case ServerAnswer.Done _ -> false;
        };
    }

    private static String reason(ServerAnswer answer) {
        return answer instanceof ServerAnswer.Silent(String reason) ? reason : "it can't answer now";
    }

    private void tell(String words) {
        terminal.err().println(Printable.text(words));
    }
}
