package dev.flowstone.server.kill;

import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.testkit.scenario.program.ProgramForm;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Faults;
import dev.flowstone.testkit.scenario.source.SourceException;
import dev.flowstone.testkit.scenario.source.Sources;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * A workflow that goes round several times and has, in each round, everything at once that a run can wait for; and the
 * child that it calls, which fails in every other round and undoes what it did. In each round it also talks to itself, so
 * that at most moments a letter is under way; an operator mends what has failed, a policy allows it to go on, and it changes
 * its subject.
 */
final class MixedPrograms {
    static final String MIXED = "mixed";
    static final int ROUNDS = 16;

    /** An attempt whose process died is used up, so there are many. */
    private static final String RETRY = "retry: {attempts: 90, base: 10ms, factor: 1}";

    private static final String ROUND_ABOUT = """
            id: mixed
            flow:
              init: {assign: {round: 0, sum: 0, talks: 0}, to: split}
              split:
                fork:
                  graph:
                    settling:
                      first: {task: test.effect, input: {n: 1}, RETRY, to: [left, right, {to: never, if: 'false'}]}
                      left: {timer: 150ms, to: meet}
                      right: {task: test.flaky, input: {n: 2}, RETRY, to: meet}
                      never: {task: test.effect, RETRY, to: meet}
                      meet: {choice: , to: each}
                      each:
                        each: [10, 20, 30, 40]
                        window: 3
                        join: every
                        branch:
                          flow:
                            enter: {await: {semaphore: door, limit: 2, lease: 1h}, to: inside}
                            inside: {timer: 40ms, to: leave}
                            leave: {emit: {release: enter}, to: note}
                            note: {task: test.effect, input: {n: '{{ item }}'}, RETRY, to: every}
                      every: {join: all, to: together}
                  people:
                    flow:
                      ask: {human: [ann, bob], quorum: all, vetoes: [rejected], on: {approved: gate, rejected: refused}}
                      gate: {task: test.effect, applies: ask, input: {n: 3}, RETRY, to: together}
                      refused: {task: test.effect, input: {n: 4}, RETRY, to: together}
                  signals:
                    flow:
                      hear: {await: {signal: go, key: '{{ trigger.name }}-{{ variables.round }}'}, to: tell}
                      tell: {emit: {signal: echo, key: '{{ trigger.name }}', payload: {n: '{{ context.data.hear.n }}'}, keep: 1h}, to: pause}
                      pause: {timer: 60ms, to: listen}
                      listen: {await: {signal: echo, key: '{{ trigger.name }}'}, to: together}
                  talk:
                    flow:
                      say: {emit: {signal: chat, key: '{{ trigger.name }}', payload: {n: '{{ variables.talks }}'}, keep: 1h}, to: answer}
                      answer: {await: {signal: chat, key: '{{ trigger.name }}'}, to: tally}
                      tally: {assign: {talks: '{{ variables.talks + 1 }}'}, to: [{to: say, if: variables.talks % 15 != 0}, {to: together, else: true}]}
                  children:
                    flow:
                      order: {call: order, input: {fails: '{{ variables.round % 2 == 1 }}'}, to: together, on: {failure: sorry}}
                      sorry: {task: test.effect, input: {n: 5}, RETRY, to: together}
                  desk:
                    onFailure: park
                    flow:
                      mended: {task: test.mended, input: {n: 8, ok: false}, RETRY, to: together}
                join: together
              together: {join: all, to: may}
              may: {choice: , to: [{to: post, policy: release}, {to: barred, else: true}]}
              barred: {end: barred}
              post: {task: test.post, input: {n: 9}, RETRY, to: count}
              count: {assign: {round: '{{ variables.round + 1 }}', sum: '{{ variables.sum + context.data.listen.n }}'}, to: breath}
              breath: {timer: 80ms, to: [{to: split, if: variables.round < ROUNDS}, {to: done, else: true}]}
              done: {end: success}
            output: {rounds: '{{ variables.round }}', sum: '{{ variables.sum }}', last: '{{ context.data.together }}', every: '{{ context.data.every }}', posted: '{{ context.data.post.version }}'}
            """;

    private static final String ORDER = """
            id: order
            onFailure: compensate
            flow:
              reserve: {task: test.effect, input: {n: 6}, RETRY, compensate: {handler: test.effect, input: {n: -6}, RETRY}, to: pack}
              pack:
                settling:
                  box: {task: test.effect, input: {n: 7}, RETRY, compensate: {handler: test.effect, input: {n: -7}, RETRY}, to: seal}
                  label: {timer: 50ms, to: seal}
                  all: {choice: , to: [box, label]}
                  seal: {choice: }
                entry: all
                out: seal
                to: pay
              pay: {choice: , to: [{to: refuse, if: trigger.fails}, {to: send, else: true}]}
              refuse: {task: test.refuse, RETRY, to: send}
              send: {timer: 30ms, to: done}
              done: {end: success}
            output: {n: '{{ context.data.box.n }}'}
            """;

    /** Allows each round; always the same version, since an equal one is no new one. */
    static final PolicyName POLICY = new PolicyName("release");

    static final JsonObject BUNDLE = JsonObject.builder()
            .put("kind", "rules")
            .put(
                    "rules",
                    new JsonArray(List.of(JsonObject.builder()
                            .put("name", "usual")
                            .put("effect", "allow")
                            .put("when", "variables.round < " + ROUNDS)
                            .build())))
            .build();

    private MixedPrograms() {}

    /** In the order in which they must be there: the child first. */
    static List<Program> all() throws SourceException {
        return List.of(program(ORDER), program(ROUND_ABOUT));
    }

    private static Program program(String text) throws SourceException {
        String whole = text.replace("RETRY", RETRY).replace("ROUNDS", "" + ROUNDS);
        JsonParser.Located document = Sources.read("mixed.yaml", whole.getBytes(StandardCharsets.UTF_8));
        Faults faults = new Faults(Path.of("mixed.yaml"), document);
        return ProgramForm.read(new Cursor(faults, "", document.value()))
                .orElseThrow(() -> new IllegalStateException(faults.sorted().toString()));
    }
}
