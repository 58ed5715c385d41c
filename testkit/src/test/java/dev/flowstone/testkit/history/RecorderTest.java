package dev.flowstone.testkit.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.testkit.history.SequenceModel.Answer;
import dev.flowstone.testkit.history.SequenceModel.Ask;
import dev.flowstone.testkit.simulation.world.Dice;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What clients ask and are told is written down as it was. */
final class RecorderTest {
    private static final Target RUN = new Target("run");
    private static final Ask READ = new Ask.Read(RUN);
    private static final int CLIENTS = 4;
    private static final int EACH = 200;

    private final Recorder<Ask, Answer> recorder = new Recorder<>();

    @Test
    void whatReturnedBeforeAnotherWasInvokedPrecedesIt() {
        recorder.invoke("anna", READ).returned(new Answer.Counted(0));
        recorder.invoke("bob", READ).returned(new Answer.Counted(0));

        Operation<Ask, Answer> first = recorder.history().operations().get(0);
        Operation<Ask, Answer> second = recorder.history().operations().get(1);
        assertEquals(List.of("anna", "bob"), List.of(first.client(), second.client()));
        assertTrue(first.precedes(second));
        assertFalse(second.precedes(first));
    }

    @Test
    void whatOverlapsIsInNoOrder() {
        Call<Ask, Answer> anna = recorder.invoke("anna", READ);
        Call<Ask, Answer> bob = recorder.invoke("bob", READ);
        anna.returned(new Answer.Counted(0));
        bob.returned(new Answer.Counted(0));

        Operation<Ask, Answer> first = recorder.history().operations().get(0);
        Operation<Ask, Answer> second = recorder.history().operations().get(1);
        assertFalse(first.precedes(second));
        assertFalse(second.precedes(first));
    }

    @Test
    void whatHasNoAnswerIsUnknown() {
        recorder.invoke("anna", READ).unknown();
        Call<Ask, Answer> bob = recorder.invoke("bob", READ);

        assertEquals(
                List.of(new Ending.Unknown<Answer>(), new Ending.Unknown<Answer>()),
                recorder.history().operations().stream().map(Operation::ending).toList());
        bob.returned(new Answer.Counted(0));
        assertTrue(recorder.history().operations().get(1).isReturned());
    }

    @Test
    void whatWasRefusedIsLeftOut() {
        recorder.invoke("anna", READ).refused();

        assertEquals(List.of(), recorder.history().operations());
    }

    @Test
    void anOperationEndsOnce() {
        Call<Ask, Answer> call = recorder.invoke("anna", READ);
        call.unknown();

        assertThrows(IllegalStateException.class, () -> call.returned(new Answer.Counted(0)));
        assertThrows(IllegalStateException.class, call::refused);
        assertThrows(IllegalStateException.class, call::unknown);
    }

    @Test
    void manyThreadsAreWrittenDownAsTheyWere() throws Exception {
        // given: a thing that does one operation after the other, and clients who ask it at the same time
        SequenceMachine machine = new SequenceMachine(RUN);

        // when
        try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                String client = "c" + i;
                clients.add(threads.submit(() -> ask(machine, client)));
            }
            for (Future<?> client : clients) {
                client.get();
            }
        }

        // then
        Verdict<Ask, Answer> verdict = Linearizability.check(recorder.history(), new SequenceModel());
        assertEquals(CLIENTS * EACH, recorder.history().operations().size());
        assertInstanceOf(Verdict.Linearizable.class, verdict, () -> String.join("\n", verdict.lines()));
    }

    private void ask(SequenceMachine machine, String client) {
        Dice dice = new Dice(0, client);
        for (int i = 0; i < EACH; i++) {
            Ask input = next(machine, dice);
            Call<Ask, Answer> call = recorder.invoke(client, input);
            call.returned(answer(machine, input));
        }
    }

    private static Ask next(SequenceMachine machine, Dice dice) {
        synchronized (machine) {
            return machine.ask(dice);
        }
    }

    private static Answer answer(SequenceMachine machine, Ask input) {
        synchronized (machine) {
            return machine.answer(input);
        }
    }
}
