package dev.flowstone.server.cli;

/** The command line's entry. It names the version, until the commands move in. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.out.println("flowstone " + Main.class.getPackage().getImplementationVersion());
    }
}
