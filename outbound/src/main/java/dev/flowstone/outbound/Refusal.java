package dev.flowstone.outbound;

/** Why a request was not sent. The names are stable: configuration, metrics and tests tell them. */
public enum Refusal {
    URL("the URL can't be read in one way only"),
    SCHEME("only http and https leave the house"),
    USERINFO("a URL carries no user or password: send an Authorization header"),
    HOST("the host is no name of letters, digits, hyphens and dots, and no address"),
    ENCODED_ADDRESS("an address is written in four decimal numbers, or as IPv6 in brackets, and in no other way"),
    PORT("a port is a number from 1 to 65535"),
    METHOD("the method isn't one of those that are sent"),
    HEADER("a header's name or value can't be sent"),
    HOST_DENIED("the host is on the list of denied hosts"),
    PORT_DENIED("the port isn't on the list of allowed ports"),
    NETWORK_DENIED("the address is in a denied network"),
    DOWNGRADE("a redirect leads from https to http"),
    BODY_TO_OTHER_HOST("a redirect would send the body to another host"),
    LOOPBACK("that is this machine itself"),
    OWN("that is an address of this machine's own"),
    PRIVATE("that is a private network"),
    LINK_LOCAL("that is a link-local network"),
    METADATA("that is a cloud's metadata service"),
    SHARED("that is a carrier's shared network"),
    UNSPECIFIED("that is no address of any host"),
    MULTICAST("that is a multicast group"),
    RESERVED("that range is reserved"),
    DOCUMENTATION("that range is for documentation"),
    BENCHMARK("that range is for benchmarks"),
    TUNNEL("that is a tunnel or a translation whose far end can't be checked");

    private final String what;

    Refusal(String what) {
        this.what = what;
    }

    /** In words. */
    public String what() {
        return what;
    }
}
