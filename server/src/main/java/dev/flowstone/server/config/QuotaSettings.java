package dev.flowstone.server.config;

import dev.flowstone.engine.start.Quotas;
import dev.flowstone.kernel.id.TenantId;
import java.util.List;
import java.util.Map;

/** What tenants may use up. */
final class QuotaSettings {
    private static final SettingGroup GROUP = new SettingGroup();

    static final Setting<Double> STARTS = GROUP.add(Setting.rate(
            "quota.startsPerSecond",
            "starts of each tenant at one node; 0 for no limit; beyond, they are told when to ask again"));
    static final Setting<Map<TenantId, Double>> TENANT_STARTS = GROUP.add(Setting.byTenant(
            "quota.tenantStarts",
            "tenant=rate pairs with commas between them",
            "tenants' own, such as acme=500,globex=20",
            Setting::rate));
    static final Setting<Map<TenantId, Integer>> TENANT_WEIGHTS = GROUP.add(Setting.byTenant(
            "quota.tenantWeights",
            "tenant=weight pairs (1 to 100) with commas between them",
            "turns that a tenant has to others' one while they wait, such as acme=4; else 1",
            Setting::weight));

    private QuotaSettings() {}

    /** In the order in which they are listed. */
    static List<Setting<?>> all() {
        return GROUP.all();
    }

    static Quotas of(Sources sources) throws ConfigException {
        return new Quotas(sources.value(STARTS), sources.value(TENANT_STARTS), sources.value(TENANT_WEIGHTS));
    }
}
