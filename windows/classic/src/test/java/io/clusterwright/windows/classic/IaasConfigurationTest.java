package io.clusterwright.windows.classic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.windows.classic.internal.iaas.IaasFindings;
import io.clusterwright.windows.classic.internal.iaas.IaasSchema;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xml.sax.SAXException;

class IaasConfigurationTest {
    private static final String EXAMPLE_1 = "hpcpack-example1-headnode-as-dc.xml";
    private static final String EXAMPLE_2 = "hpcpack-example2-new-dc-autogrow-NOT-WELLFORMED.xml";
    private static final String EXAMPLE_3 = "hpcpack-example3-a8-remote-db-brokers.xml";
    private static final String LINUX = "hpcpack-linux-suse12-rdma-a8.xml";

    static String sample(String name) {
        try (InputStream in = IaasConfigurationTest.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** The text without what means nothing in XML: blanks between elements, and the ways to write an empty one. */
    static String canonical(String text) {
        return text.replaceFirst("<\\?xml[^?]*\\?>", "")
                .replaceAll("\\s*(<!--.*?-->)\\s*", "$1")
                .replaceAll(">\\s+<", "><")
                .replaceAll("\\s+/>", "/>")
                .strip();
    }

    @Nested
    class PublishedFiles {
        @ParameterizedTest
        @ValueSource(strings = {EXAMPLE_1, EXAMPLE_3, LINUX})
        void areWrittenBackWithoutLoss(String name) {
            String written = IaasConfiguration.of(sample(name)).toXml();

            assertThat(canonical(written)).isEqualTo(canonical(sample(name)));
            assertThat(written).startsWith("<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n");
            assertThat(IaasConfiguration.of(written).toXml()).isEqualTo(written);
        }

        @Test
        void malformedSecondExampleIsRefusedWithPlaceAndRepairedText() {
            String text = sample(EXAMPLE_2);
            InvalidIaasConfigurationException refusal =
                    catchThrowableOfType(InvalidIaasConfigurationException.class, () -> IaasConfiguration.of(text));

            String line = text.lines().toList().get(refusal.line() - 1);
            assertThat(line.substring(refusal.column() - 1)).startsWith("”true”>MyHPCComputeNodeImage");
            assertThat(refusal)
                    .hasMessageStartingWith("line " + refusal.line() + ", column " + refusal.column() + ": ")
                    .hasMessageContaining("typographic quote");
            String repaired = refusal.repaired().orElseThrow();
            assertThat(repaired).isEqualTo(text.replace("HPCPackInstalled=”true”", "HPCPackInstalled=\"true\""));

            IaasConfiguration configuration = IaasConfiguration.of(repaired);
            assertThat(canonical(configuration.toXml())).isEqualTo(canonical(repaired));
            assertThat(configuration.toXml()).contains("<ImageName HPCPackInstalled=\"true\">");
        }

        @Test
        void giveTheirValues() {
            IaasConfiguration third = IaasConfiguration.of(sample(EXAMPLE_3));

            assertThat(third.value("AffinityGroup")).contains("MyAffinityGroup");
            assertThat(third.value("Location")).contains("East Asia");
            assertThat(third.value("Database/DBServer/DataDiskSizeInGB")).contains("500");
            assertThat(third.value("HeadNode/EnableWebPortal")).contains("");
            assertThat(third.value("ComputeNodes/VMSize")).contains("A8");
            assertThat(third.value("ComputeNodes/NodeCount")).contains("5");
            assertThat(third.value("ComputeNodes/AffinityGroup")).contains("MyIBAffinityGroup");
            assertThat(third.value("BrokerNodes")).isPresent();
            assertThat(IaasConfiguration.of(sample(LINUX)).value("LinuxComputeNodes/ImageName"))
                    .contains("b4590d9e3ed742e4a1d46e5424aa335e__suse-sles-12-hpc-v20150708");
        }

        @Test
        void haveNoErrorsAndPlacedWarnings() {
            assertThat(codes(sample(EXAMPLE_1))).containsExactly("CW-IAAS-015");
            assertThat(codes(sample(LINUX))).containsExactly("CW-IAAS-009", "CW-IAAS-015");
            String first = sample(EXAMPLE_1);
            assertThat(IaasConfiguration.of(first).lint()).allSatisfy(finding -> {
                String line = first.lines().toList().get(finding.line().orElseThrow() - 1);
                assertThat(line.substring(finding.column().orElseThrow() - 1)).startsWith("<VMNamePattern>");
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {EXAMPLE_1, EXAMPLE_3, LINUX, "golden/iaas/HPCIaaSClusterConfig.xml"})
    void theSchemaAcceptsPublishedAndWrittenFiles(String name) throws SAXException, IOException {
        Schema schema = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
                .newSchema(IaasSchema.class.getResource("HPCIaaSClusterConfig.xsd"));
        String text = sample(name).replaceFirst("^\uFEFF", "");

        schema.newValidator().validate(new StreamSource(new StringReader(text)));
        assertThatThrownBy(() -> schema.newValidator()
                        .validate(new StreamSource(new StringReader(
                                text.replace("<VMSize>", "<VMSiz>").replace("</VMSize>", "</VMSiz>")))))
                .isInstanceOf(SAXException.class);
    }

    @Nested
    class UnknownElements {
        @Test
        void keepTheirPlace() {
            String text = sample(EXAMPLE_1)
                    .replace(
                            "<VMSize>ExtraLarge</VMSize>",
                            "<VMSize>ExtraLarge</VMSize>\n"
                                    + "<!-- ours --><EnableRESTAPI />\n<PreConfigScript run=\"once\">c:\\a &amp; b.ps1</PreConfigScript>");
            String written = IaasConfiguration.of(text).toXml();

            assertThat(canonical(written)).isEqualTo(canonical(text));
            assertThat(codes(text)).contains("CW-IAAS-001");
        }

        @Test
        void getTheNearestKnownName() {
            assertThat(IaasConfiguration.of(sample(EXAMPLE_1).replace("VMSize>Medium</VMSize", "VmSize>Medium</VmSize"))
                            .lint())
                    .extracting(Finding::remedy)
                    .contains("did you mean VMSize?");
        }
    }

    @Nested
    class Order {
        @Test
        void followsThePublishedFiles() {
            String swapped = sample(EXAMPLE_1)
                    .replaceFirst("(?s)(<Location>.*?</Location>)(.*)(<HeadNode>.*?</HeadNode>)", "$3$2$1");

            assertThat(codes(swapped)).contains("CW-IAAS-005");
            assertThat(canonical(IaasConfiguration.of(swapped).toXml())).isEqualTo(canonical(sample(EXAMPLE_1)));
        }
    }

    @Nested
    class Repairs {
        @Test
        void moveTheDeclarationToTheStart() {
            String text = "<!-- mine -->\n<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<IaaSClusterConfig/>";
            InvalidIaasConfigurationException refusal =
                    catchThrowableOfType(InvalidIaasConfigurationException.class, () -> IaasConfiguration.of(text));

            assertThat(refusal.line()).isEqualTo(2);
            assertThat(refusal.repaired().orElseThrow())
                    .startsWith("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- mine -->");
        }

        @Test
        void escapeAnAmpersand() {
            String text = sample(EXAMPLE_1).replace("MyHeadNode", "A&B &amp; C");
            InvalidIaasConfigurationException refusal =
                    catchThrowableOfType(InvalidIaasConfigurationException.class, () -> IaasConfiguration.of(text));

            assertThat(IaasConfiguration.of(refusal.repaired().orElseThrow()).value("HeadNode/VMName"))
                    .contains("A&B & C");
        }

        @Test
        void areOmittedWhereTheyDoNotHelp() {
            assertThatThrownBy(() -> IaasConfiguration.of("<IaaSClusterConfig><HeadNode></IaaSClusterConfig>"))
                    .isInstanceOfSatisfying(InvalidIaasConfigurationException.class, refusal -> {
                        assertThat(refusal.line()).isEqualTo(1);
                        assertThat(refusal.repaired()).isEmpty();
                    })
                    .hasMessageContaining("HeadNode");
        }
    }

    @Nested
    class Dangers {
        @Test
        void refusesADocumentType() {
            assertThatThrownBy(() -> IaasConfiguration.of("<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/hostname\">]>"
                            + "<IaaSClusterConfig><Location>&x;</Location></IaaSClusterConfig>"))
                    .isInstanceOf(InvalidIaasConfigurationException.class)
                    .hasMessageContaining("document type");
        }

        @Test
        void refusesDeepNesting() {
            assertThatThrownBy(() -> IaasConfiguration.of("<IaaSClusterConfig>" + "<a>".repeat(10_000)))
                    .isInstanceOf(InvalidIaasConfigurationException.class);
        }

        @Test
        void refusesAnotherRoot() {
            assertThatThrownBy(() -> IaasConfiguration.of("<Job/>"))
                    .isInstanceOf(InvalidIaasConfigurationException.class)
                    .hasMessageContaining("<Job>, expected <IaaSClusterConfig>");
        }

        @Test
        void showsThePasswordInTheFileOnly() {
            IaasConfiguration second = IaasConfiguration.of(sample(EXAMPLE_2).replace('”', '"'));

            assertThatThrownBy(() -> second.value("Certificates/Certificate/Password"))
                    .hasMessageContaining("is a secret, and its text cannot be read");
            assertThat(second.toXml()).contains("MyPsw!!2");
            assertThat(List.of(
                            second.toString(),
                            second.value("Certificates/Certificate").toString(),
                            second.lint().toString()))
                    .noneMatch(text -> text.contains("MyPsw"));
        }
    }

    static List<String> codes(String text) {
        return IaasConfiguration.of(text).lint().stream()
                .map(Finding::code)
                .distinct()
                .sorted()
                .toList();
    }

    @Nested
    class Lint {
        @Test
        void namesBothSidesOfAConflict() {
            String twice = sample(EXAMPLE_1)
                    .replace(
                            "<Location>West US</Location>", "<Location>West US</Location><Location>West US</Location>");
            String both = sample(EXAMPLE_1)
                    .replaceFirst("<SubscriptionId>", "<SubscriptionName>s</SubscriptionName><SubscriptionId>");

            assertThat(IaasConfiguration.of(twice).lint())
                    .extracting(Finding::message)
                    .anyMatch(message ->
                            message.matches("IaaSClusterConfig has Location twice, in line (\\d+) and in line \\1"));
            assertThat(IaasConfiguration.of(both).lint())
                    .extracting(Finding::message)
                    .anyMatch(
                            message -> message.matches(
                                    "Subscription has Subscription(Id|Name) and Subscription(Id|Name), which exclude each other"));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "CW-IAAS-002|<Location>West US</Location>|",
                    "CW-IAAS-003|<Location>West US</Location>|<Location>West US</Location><Location>West US</Location>",
                    "CW-IAAS-004|HeadNodeAsDC|HeadAsDC",
                    "CW-IAAS-004|<NodeCount>5<|<NodeCount>five<",
                    "CW-IAAS-004|WindowsServer2012R2|WindowsServer2016",
                    "CW-IAAS-006|<SubscriptionId>|<SubscriptionName>s</SubscriptionName><SubscriptionId>",
                    "CW-IAAS-006|<ServiceName>MyHPCCNService</ServiceName>|",
                    "CW-IAAS-007|MyHPCCN-%1000%|MyHPCCN-%999999999%",
                    "CW-IAAS-007|<StorageAccount>mystorageaccount|<StorageAccount>MyStorageAccount",
                    "CW-IAAS-007|<VMName>MyHeadNode|<VMName>MyVeryLongHeadNode",
                    "CW-IAAS-008|ExtraLarge|Large",
                    "CW-IAAS-009|MyHPCCNService|MyHPCService",
                    "CW-IAAS-010|<ServiceName>MyHPCCNService</ServiceName>\n    <VMSize>Medium|"
                            + "<ServiceNamePattern>S%01%</ServiceNamePattern>\n<VMSize>A9",
                    "CW-IAAS-011|<VMSize>Medium|<VMSize>Standard_H16r",
                    "CW-IAAS-012|</IaaSClusterConfig>|<AutoGrowShrink><CertificateId>1</CertificateId></AutoGrowShrink></IaaSClusterConfig>",
                    "CW-IAAS-014|<VMSize>Medium|<VMSize>Mediums",
                    "CW-IAAS-016|West US|West Us 9",
                })
        void finds(String code) {
            String[] parts = code.split("\\|", -1);
            String broken = sample(EXAMPLE_1).replace("\r", "").replace(parts[1], parts[2]);

            assertThat(broken).isNotEqualTo(sample(EXAMPLE_1));
            assertThat(codes(broken)).contains(parts[0]);
            assertThat(codes(sample(EXAMPLE_1))).doesNotContain(parts[0]);
        }

        @Test
        void checksTheLengthOfExpandedNames() {
            assertThat(codes(sample(EXAMPLE_1).replace("MyHPCCN-%1000%", "MyHPCCNode-%1%")))
                    .doesNotContain("CW-IAAS-007");
            assertThat(codes(sample(EXAMPLE_1).replace("MyHPCCN-%1000%", "MyHPCCNode-%9996%")))
                    .contains("CW-IAAS-007");
        }

        @Test
        void everyFindingHasAUniqueCode() {
            assertThat(IaasFindings.kinds()).extracting(kind -> kind.code()).doesNotHaveDuplicates();
            assertThat(Stream.of(IaasFindings.kinds()).flatMap(List::stream))
                    .allMatch(kind -> kind.code().startsWith("CW-IAAS-"));
        }
    }
}
