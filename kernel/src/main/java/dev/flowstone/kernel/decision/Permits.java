package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.event.MessageEvent.PermitGivenBack;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.state.HeldPermit;

/** Permits go back when an emit says so, and at the latest with the scope that they were got in, or with the run. */
final class Permits {
    private Permits() {}

    static void giveBack(Deciding deciding, ActivationId await, RunId semaphore) {
        deciding.emit(new PermitGivenBack(await, semaphore));
        deciding.send(semaphore, new Message.Release(await));
    }

    static void giveBack(Deciding deciding, HeldPermit permit) {
        giveBack(deciding, permit.activation(), permit.semaphore());
    }

    /** All that were got in this scope instance. */
    static void scopeCloses(Deciding deciding, int scope) {
        HeldPermit held = deciding.state().post().permitIn(scope);
        while (held != null) {
            giveBack(deciding, held);
            held = deciding.state().post().permitIn(scope);
        }
    }

    static void runEnds(Deciding deciding) {
        HeldPermit held = deciding.state().post().anyPermit();
        while (held != null) {
            giveBack(deciding, held);
            held = deciding.state().post().anyPermit();
        }
    }
}
