package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonObject;

/**
 * An action that sends a message and waits for nothing. There is no handler: the message is committed with the event that
 * schedules the attempt, and the task is completed once that is durable, with {@code {"message": KEY}} as its output. The
 * message leaves through the outbox under that key, at least once, in no order with others.
 *
 * <p>One message belongs to one scheduled attempt. A node that dies between the commit and the completion sends no second one:
 * whoever takes the run up finds the attempt open, and the message in the database, and completes it with that one's key, whatever
 * the action would say of the input there. A later attempt is another message; there is one only if the attempt before it failed,
 * which it does only if nothing was sent: because its input was invalid, because it was refused, or because the node that scheduled it did not know how.
 *
 * <p>The exception is a run that begins at another's past (R26) in the moment in which that one's message was committed and its task
 * not yet completed: the new run's attempt fails, retryable, and its next attempt sends a message of the new run.
 */
@FunctionalInterface
public interface OneWayAction {
    /**
     * What an input sends. Called on the shard's thread, and perhaps again after a crash: quick, without waiting for anything,
     * and the same for the same call.
     */
    Posting post(OneWayCall call);

    /** What comes of an input. */
    sealed interface Posting {
        /** This is sent. */
        record Message(String destination, JsonObject content) implements Posting {
            public Message {
                requireNonNull(destination);
                requireNonNull(content);
            }
        }

        /**
         * Nothing is sent; the attempt fails, permanently.
         *
         * @param code stable, upper case
         * @param path JSON pointer to what is wrong in the input
         * @param message what is wrong, and what to do
         */
        record Invalid(String code, String path, String message) implements Posting {
            public Invalid {
                requireNonNull(code);
                requireNonNull(path);
                requireNonNull(message);
            }
        }

        /**
         * Nothing is sent, whatever the input is: it must not be. The attempt fails, policy_denied.
         *
         * @param code stable, upper case
         * @param message why, and what to do
         */
        record Refused(String code, String message) implements Posting {
            public Refused {
                requireNonNull(code);
                requireNonNull(message);
            }
        }
    }
}
