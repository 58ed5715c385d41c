package dev.flowstone.engine.start;

import dev.flowstone.engine.journal.ReceiptKey;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.id.TenantId;
import java.util.Optional;

/**
 * Under which key a start leaves its receipt. A request id is one of its tenant's; that of a run about a subject is one of
 * the subject's, because its receipt lives where the subject does.
 */
public final class StartReceipts {
    private static final String SCOPE = "start";

    private StartReceipts() {}

    public static ReceiptKey key(TenantId tenant, Optional<SubjectBinding> subject, String requestId) {
        return new ReceiptKey(tenant, subject.map(StartReceipts::scope).orElse(SCOPE), requestId);
    }

    /** The kind's length tells where it ends, whatever stands in it. */
    private static String scope(SubjectBinding binding) {
        return SCOPE + ":" + binding.subject().kind().length() + ":" + binding.subject();
    }
}
