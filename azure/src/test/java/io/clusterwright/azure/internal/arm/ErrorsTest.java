package io.clusterwright.azure.internal.arm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ErrorsTest {
    @Nested
    class ARemedy {
        @Test
        void registersTheNamespaceThatAzureNames() {
            assertThat(Errors.coded(
                            "MissingSubscriptionRegistration",
                            "create machine a",
                            "The subscription is not registered to use namespace 'Microsoft.Compute'. See"
                                    + " https://aka.ms/rps-not-found for how to register subscriptions."))
                    .message()
                    .endsWith("; run: az provider register --namespace Microsoft.Compute --wait");
        }

        @Test
        void acceptsTheTermsOfThePlanThatAzureNames() {
            assertThat(Errors.coded(
                            "MarketplacePurchaseEligibilityFailed",
                            "create machine a",
                            "Offer with PublisherId: 'almalinux', OfferId: 'almalinux-hpc' cannot be purchased due to"
                                    + " validation errors. You have not accepted the legal terms on this subscription:"
                                    + " '00000000-0000-0000-0000-000000000001' for this plan: '8-hpc-gen2'."))
                    .message()
                    .endsWith("az vm image terms accept --publisher almalinux --offer almalinux-hpc --plan 8-hpc-gen2"
                            + " --subscription 00000000-0000-0000-0000-000000000001");
        }

        @Test
        void hasAPlaceholderForEachNameThatAzureKeepsToItself() {
            assertThat(Errors.coded("ResourcePurchaseValidationFailed", "create machine a", "refused"))
                    .message()
                    .endsWith("az vm image terms accept --urn PUBLISHER:OFFER:SKU:latest");
        }
    }
}
