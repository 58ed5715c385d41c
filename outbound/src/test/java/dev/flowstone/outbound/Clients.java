package dev.flowstone.outbound;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** Clients that reach the loopback interface, and what came of their requests. */
final class Clients {
    static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");

    /** 127.0.0.1 and nothing else of this machine. */
    static final AddressPolicy LOOPBACK = AddressPolicy.PUBLIC_ONLY.withAllowedNetworks("127.0.0.1");

    static final OutboundConfig CONFIG = OutboundConfig.DEFAULT.withPolicy(LOOPBACK);

    private Clients() {}

    static OutboundClient client(OutboundConfig config, Resolver names) {
        return new OutboundClient(config, OutboundClient.systemTls(), names, () -> NOW);
    }

    static OutboundClient client() {
        return client(CONFIG, new Names());
    }

    static Outcome.Answer answer(Outcome outcome) {
        return assertInstanceOf(Outcome.Answer.class, outcome, outcome::toString);
    }

    static Outcome.Refused refused(Outcome outcome) {
        return assertInstanceOf(Outcome.Refused.class, outcome, outcome::toString);
    }

    static Outcome.Failure failure(Outcome outcome) {
        return assertInstanceOf(Outcome.Failure.class, outcome, outcome::toString);
    }

    static String text(Outcome.Answer answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    static RequestBody json(String text) {
        return RequestBody.of(text.getBytes(StandardCharsets.UTF_8), "application/json");
    }
}
