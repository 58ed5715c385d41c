package dev.flowstone.vendors.web;

import dev.flowstone.action.ActionFailure;
import dev.flowstone.action.ActionResult;
import dev.flowstone.outbound.Outcome;
import dev.flowstone.outbound.Refusal;
import java.util.Map;

/** Calls without an answer as failures: what is refused by rule stays so, what got lost may be tried again. */
final class Unanswered {
    private Unanswered() {}

    static ActionFailure of(Outcome.Failure failure) {
        ActionResult.Failed<?> failed = switch (failure) {
            case Outcome.Refused refused -> refused(refused);
            case Outcome.TooManyRedirects _ -> ActionResult.failed(failure.code(), failure.message());
            case Outcome.TlsFailed tls ->
                tls.untrusted()
                        ? ActionResult.failed(failure.code(), failure.message())
                        : ActionResult.retriable(failure.code(), failure.message());
            case Outcome.Unresolved _, Outcome.Unreachable _, Outcome.TimedOut _, Outcome.Broken _ ->
                ActionResult.retriable(failure.code(), failure.message());
        };
        return new ActionFailure(failed.with(Map.of(Calls.MAY_BE_DONE, !failure.unsent())));
    }

    private static ActionResult.Failed<?> refused(Outcome.Refused refused) {
        if (refused.refusal() == Refusal.HEADER) {
            return ActionResult.denied(
                    Fault.UNAUTHENTICATED.code(),
                    "the credential is none that a header can carry: " + refused.message());
        }
        return ActionResult.failed(refused.unsent() ? "ADDRESS_REFUSED" : "REDIRECT_REFUSED", refused.message());
    }
}
