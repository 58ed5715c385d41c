package dev.flowstone.vendors.web;

import static java.util.Objects.requireNonNull;

import dev.flowstone.action.ActionContext;
import dev.flowstone.action.FoundLink;
import dev.flowstone.action.ParameterFault;
import dev.flowstone.action.ResourceLink;
import java.util.List;
import java.util.Optional;

/**
 * By which a thing that an action makes is known before its vendor has given it an id: a reference of the workflow's own, which holds in
 * the channel, board or space where it is made and for all executions of a tenant, or else the visit of a node, which holds for all its
 * attempts.
 *
 * @param key of the link, in its tenant
 * @param marker what is written into the thing itself, where other tenants may write, too
 */
public record Made(String system, String type, String key, String marker) {
    /** What a link's key has at most. */
    private static final int LONGEST_KEY = 200;

    public Made {
        requireNonNull(system);
    }

    /**
     * Of an attempt.
     *
     * @param where the reference holds: the id of a channel or a board, the key of a space
     */
    public static Made by(ActionContext context, String system, String type, String where, Optional<String> reference) {
        Optional<String> key = reference.map(own -> key(where, own));
        return new Made(
                system,
                type,
                key.orElseGet(context::idempotencyKey),
                key.map(own -> context.tenantId() + "/" + own).orElseGet(context::idempotencyKey));
    }

    /** What is wrong with a reference there. */
    public static List<ParameterFault> check(String where, Optional<String> reference) {
        boolean fits =
                reference.map(own -> key(where, own).length() <= LONGEST_KEY).orElse(true);
        return fits
                ? List.of()
                : List.of(new ParameterFault(
                        "/reference",
                        "it is too long: together with where it is made, and a slash, it has " + LONGEST_KEY
                                + " characters at most"));
    }

    private static String key(String where, String reference) {
        return where + "/" + reference;
    }

    /** What is linked under it already. */
    public Optional<ResourceLink> find(ActionContext context) {
        return context.findLink(system, type, key).map(FoundLink::link);
    }

    /** The link to it. */
    public ResourceLink link(String id, Optional<String> url) {
        return new ResourceLink(system, type, id, key, url);
    }
}
