package dev.flowstone.mail;

import dev.flowstone.action.Param;
import java.util.List;
import java.util.Optional;

/**
 * What {@code email.send} answers.
 *
 * @param recipients whom the server took it for, each once; nobody if it wasn't sent now
 * @param isNew false if it had been sent before
 * @param reply what the server said when it took it, such as its own number of the message
 */
public record Sent(
        String messageId,

        @Param("whom the server took it for, in this attempt")
        List<String> recipients,

        @Param("false if it had been sent before") boolean isNew,
        @Param("what the server said when it took it") Optional<String> reply) {
    public Sent {
        recipients = List.copyOf(recipients);
    }
}
