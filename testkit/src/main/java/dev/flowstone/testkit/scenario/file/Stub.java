package dev.flowstone.testkit.scenario.file;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.task.TaskResult;
import java.time.Duration;
import java.util.List;

/** What a handler answers in a scenario: by attempt, the last answer repeats. */
public record Stub(List<Answer> answers) {
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
     */
    public record Answer(Duration after, Reply reply) {
        public Answer {
            requireNonNull(after);
            requireNonNull(reply);
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

        /** With an exception. */
        record Throw(String message) implements Reply {
            public Throw {
                requireNonNull(message);
            }
        }
    }
}
