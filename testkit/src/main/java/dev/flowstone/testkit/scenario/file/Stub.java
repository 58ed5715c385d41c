package dev.flowstone.testkit.scenario.file;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a handler answers in a scenario: by attempt, the last answer repeats.
 *
 * @param transactional whether it works on the run's subject, in a transaction (R17)
 */
public record Stub(List<Answer> answers, boolean transactional) {
    public Stub {
        answers = List.copyOf(answers);
        if (answers.isEmpty()) {
            throw new IllegalArgumentException("a stub has an answer");
        }
    }

    /** To this attempt, from 1. */
    public Answer answer(int attempt) {
        return answers.get(Math.min(attempt, answers.size()) - 1);
    }

    /**
     * One answer.
     *
     * @param after so much virtual time
     * @param work what a transactional task does with the subject
     */
    public record Answer(Duration after, Reply reply, Work work) {
        public Answer {
            requireNonNull(after);
            requireNonNull(reply);
            requireNonNull(work);
        }
    }

    /**
     * What an answer does with the run's subject, in its transaction.
     *
     * @param sets fields that get new values, or go if that is null
     * @param keepsVersion whether the subject stays as it is
     * @param rule that the subject must keep
     * @param breaks what becomes of a connection that breaks in the COMMIT
     */
    public record Work(JsonObject sets, boolean keepsVersion, Optional<Rule> rule, Optional<Break> breaks) {
        static final Work NOTHING = new Work(JsonObject.EMPTY, false, Optional.empty(), Optional.empty());

        public Work {
            requireNonNull(sets);
            requireNonNull(rule);
            requireNonNull(breaks);
        }
    }

    /**
     * A rule of business.
     *
     * @param fields that the subject must have, with these values
     * @param otherwise what is answered if it hasn't
     */
    public record Rule(JsonObject fields, TaskResult otherwise) {
        public Rule {
            requireNonNull(fields);
            requireNonNull(otherwise);
        }
    }

    /**
     * The first COMMIT of an attempt breaks, and nobody knows whether it is durable.
     *
     * @param done whether it is
     * @param unknownFor so long the database can't be asked
     */
    public record Break(boolean done, Duration unknownFor) {
        public Break {
            requireNonNull(unknownFor);
        }
    }

    /** How an attempt ends. */
    public sealed interface Reply {
        /** With a result. */
        record Result(TaskResult result) implements Reply {
            public Result {
                requireNonNull(result);
            }
        }

        /** Not by itself: somebody else answers, or its timeout ends it. */
        record Hold() implements Reply {}

        /** With the subject's version: somebody else has set these fields of it right before. */
        record Stale(JsonObject sets) implements Reply {
            public Stale {
                requireNonNull(sets);
            }
        }

        /** With an exception. */
        record Throw(String message) implements Reply {
            public Throw {
                requireNonNull(message);
            }
        }
    }
}
