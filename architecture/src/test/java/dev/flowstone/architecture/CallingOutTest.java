package dev.flowstone.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.FailureReport;
import java.net.URL;
import java.util.List;
import java.util.Set;

/** Who opens connections: whoever does so beside the one client would check neither names nor addresses (ADR 0028). */
@AnalyzeClasses(
        packages = "dev.flowstone",
        importOptions = {DoNotIncludeTests.class, WrittenByHand.class})
final class CallingOutTest {
    /** The JDK's ways out of the process, but for those that only a name of a class loader's resource takes. */
    private static final String WAYS_OUT = "java\\.net\\.http\\..*"
            + "|java\\.net\\.(Socket|DatagramSocket|MulticastSocket|URLConnection|HttpURLConnection)"
            + "|java\\.nio\\.channels\\.(SocketChannel|AsynchronousSocketChannel|DatagramChannel)"
            + "|javax\\.net\\.(ssl\\.(SSLSocket|HttpsURLConnection)|.*SocketFactory)";

    private static final DescribedPredicate<JavaClass> MAY = resideInAnyPackage(
                    Floors.OUTBOUND,
                    // Beside the house: users' workers, and what measures.
                    Floors.SDK,
                    Floors.BENCH,
                    // To the SMTP server that whoever runs it has configured, over a library's sockets (ADR 54).
                    Floors.MAIL,
                    // To other nodes, and from the command line to a server: addresses that whoever runs it has named.
                    "dev.flowstone.server.peer..",
                    "dev.flowstone.server.client..")
            .or(nameMatching(String.join(
                    "|",
                    List.of(
                            // To the database: the driver makes its sockets by this class's name.
                            "dev\\.flowstone\\.postgres\\.KeptAlive",
                            // Looks whether the process that it started listens.
                            "dev\\.flowstone\\.postgres\\.PgBouncer",
                            // Read the database's archive from the class path.
                            "dev\\.flowstone\\.postgres\\.embedded\\.(Archive|PostgresBinaries)",
                            // Calls the server of its own process, for the class archive.
                            "dev\\.flowstone\\.server\\.cli\\.Rehearsal"))));

    private static final DescribedPredicate<JavaAccess<?>> OPENS_A_URL = new DescribedPredicate<>("a URL is opened") {
        @Override
        public boolean test(JavaAccess<?> access) {
            return access.getTargetOwner().isEquivalentTo(URL.class)
                    && Set.of("openConnection", "openStream", "getContent")
                            .contains(access.getTarget().getName());
        }
    };

    @ArchTest
    static final ArchRule othersAreCalledByTheOneClient = noClasses()
            .that(DescribedPredicate.not(MAY))
            .should()
            .dependOnClassesThat(nameMatching(WAYS_OUT))
            .orShould()
            .accessTargetWhere(OPENS_A_URL)
            .because("what leaves the house is checked in one place, by name, address and redirect (ADR 0028)");

    @ArchTest
    static void eachWayOutIsSeen(JavaClasses house) {
        JavaClasses planted = new ClassFileImporter().importPackages("dev.flowstone.architecture.planted");
        FailureReport seen = othersAreCalledByTheOneClient.evaluate(planted).getFailureReport();

        assertEquals(
                List.of(),
                List.of(
                                "<java.net.http.HttpClient",
                                "<java.net.Socket",
                                "<java.nio.channels.SocketChannel",
                                "openConnection",
                                "openStream")
                        .stream()
                        .filter(way -> seen.getDetails().stream()
                                .noneMatch(told -> told.contains("planted.Ways.") && told.contains(way)))
                        .toList(),
                () -> "not seen, in a house of " + house.size() + " classes: " + seen.getDetails());
    }
}
