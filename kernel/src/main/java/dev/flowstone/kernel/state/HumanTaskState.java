package dev.flowstone.kernel.state;

import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.payload.Payload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A human task that waits for people. Its lists are short: the kernel bounds them.
 *
 * @param request what people are shown
 * @param assignees who is asked, each once, those who have decided included
 * @param claims how often it was claimed or a claim extended; the generation of the claim's timer
 * @param decisions those that count, the oldest first
 */
public record HumanTaskState(
        ActivationId activation,
        Instant openedAt,
        Payload request,
        List<Assignee> assignees,
        @Nullable Claim claim,
        int claims,
        List<HumanDecision> decisions) {
    public HumanTaskState {
        assignees = List.copyOf(assignees);
        decisions = List.copyOf(decisions);
    }

    /** Those who are asked and have not decided, in order. */
    public List<Assignee> undecided() {
        Set<Party> decided = new HashSet<>();
        decisions.forEach(decision -> decision.as().ifPresent(decided::add));
        return assignees.stream()
                .filter(assignee -> !decided.contains(assignee.party()))
                .toList();
    }

    public boolean asks(Party party) {
        return assignees.stream().anyMatch(assignee -> assignee.party().equals(party));
    }

    HumanTaskState claimed(@Nullable Claim now) {
        int count = now == null ? claims : claims + 1;
        return new HumanTaskState(activation, openedAt, request, assignees, now, count, decisions);
    }

    HumanTaskState decided(HumanDecision decision) {
        List<HumanDecision> more = new ArrayList<>(decisions);
        more.add(decision);
        return with(assignees, more);
    }

    /** The same for another version of the subject. */
    HumanTaskState anew() {
        return with(assignees, List.of());
    }

    /** One of them, or all who have not decided, make room for others. */
    HumanTaskState replaced(Optional<Party> from, List<Party> to) {
        Set<Assignee> leaving = new HashSet<>();
        for (Assignee assignee : undecided()) {
            if (from.isEmpty() || from.get().equals(assignee.party())) {
                leaving.add(assignee);
            }
        }
        List<Assignee> now = new ArrayList<>();
        boolean placed = false;
        for (Assignee assignee : assignees) {
            if (!leaving.contains(assignee)) {
                now.add(assignee);
            } else if (!placed) {
                placed = true;
                to.forEach(party -> now.add(Assignee.of(party)));
            }
        }
        if (!placed) {
            to.forEach(party -> now.add(Assignee.of(party)));
        }
        return with(now, decisions);
    }

    HumanTaskState added(List<Party> parties) {
        List<Assignee> now = new ArrayList<>(assignees);
        parties.forEach(party -> now.add(Assignee.of(party)));
        return with(now, decisions);
    }

    HumanTaskState delegated(Party from, Party to) {
        return with(
                assignees.stream()
                        .map(assignee -> assignee.party().equals(from) ? assignee.delegatedTo(to) : assignee)
                        .toList(),
                decisions);
    }

    private HumanTaskState with(List<Assignee> asked, List<HumanDecision> made) {
        return new HumanTaskState(activation, openedAt, request, asked, claim, claims, made);
    }
}
