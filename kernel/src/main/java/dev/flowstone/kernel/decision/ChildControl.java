package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.event.MessageEvent.ParentDetached;
import dev.flowstone.kernel.message.Message;

/** What a parent's operation does to this run, its child (R22). */
final class ChildControl {
    private ChildControl() {}

    static void apply(Deciding deciding, Message.Control control) {
        switch (control.operation()) {
            case DETACH -> deciding.emit(new ParentDetached(control.reason()));
            case CANCEL, TERMINATE, SUSPEND, RESUME -> {}
        }
    }
}
