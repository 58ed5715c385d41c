package dev.flowstone.server.cli;

import static java.util.Objects.requireNonNull;

import dev.flowstone.server.client.ServerAnswer;
import dev.flowstone.server.client.ServerCall;
import dev.flowstone.server.client.ServerClient;
import java.time.Duration;
import java.util.Set;

/**
 * Reads from a server that may go away for a while, as at a restart: once it has answered, what nobody answers is asked again, ever later,
 * 20 times in a row at most, which takes three minutes. Each time is told on standard error.
 */
final class PatientReader {
    private static final int MOST = 20;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    /** Said by what stands before a server that is away, and by a server that is about to be ready. */
    private static final Set<Integer> AWAY = Set.of(502, 503, 504);

    private final ServerClient client;
    private final Terminal terminal;
    private boolean answered;

    PatientReader(ServerClient client, Terminal terminal) {
        this.client = requireNonNull(client);
        this.terminal = requireNonNull(terminal);
    }

    ServerAnswer read(ServerCall call) throws InterruptedException {
        ServerAnswer answer = client.call(call);
        Duration pause = FIRST_PAUSE;
        for (int tried = 1; answered && isAway(answer) && tried <= MOST; tried++) {
            tell("lost the server: " + reason(answer) + "; asking again in " + pause.toMillis() / 1000.0 + " s ("
                    + tried + " of " + MOST + ")");
            Thread.sleep(pause);
            answer = client.call(call);
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
