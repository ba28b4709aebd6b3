package dev.gannet.examples.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.Incoming;
import dev.gannet.client.ManagedChannel;
import dev.gannet.examples.greeter.GreeterMethods;
import dev.gannet.examples.greeter.MyGreeter;
import dev.gannet.server.Server;
import dev.gannet.services.health.v1.HealthCheckRequest;
import dev.gannet.services.health.v1.HealthCheckResponse;
import dev.gannet.services.health.v1.HealthCheckResponse.ServingStatus;
import dev.gannet.services.health.v1.HealthClient;
import dev.gannet.services.reflection.v1.ServerReflectionClient;
import dev.gannet.services.reflection.v1.ServerReflectionRequest;
import dev.gannet.services.reflection.v1.ServerReflectionResponse;
import dev.gannet.services.reflection.v1.ServiceResponse;
import dev.gannet.testing.GannetExtension;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server answers those who run it. */
final class OperableGreeterTest {
  private static final HealthCheckRequest OF_GREETER =
      HealthCheckRequest.newBuilder().setService(GreeterMethods.SERVICE_NAME).build();

  @RegisterExtension final GannetExtension gannet = GannetExtension.inProcess();

  private final OperableGreeter greeter = new OperableGreeter();
  private ManagedChannel channel;

  @BeforeEach
  void serve() {
    Server server = gannet.serve(it -> greeter.addTo(it, new MyGreeter()));
    channel = gannet.channelTo(server);
  }

  @Test
  void aServerIsServingOnceItIsReady() {
    HealthClient health = HealthClient.of(channel);
    assertThat(health.check(OF_GREETER).getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
    greeter.becomeReady();
    assertThat(health.check(OF_GREETER).getStatus()).isEqualTo(ServingStatus.SERVING);
  }

  @Test
  void aWatchGetsEachChange() {
    try (Incoming<HealthCheckResponse> watch = HealthClient.of(channel).watch(OF_GREETER)) {
      assertThat(watch.next().getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
      greeter.becomeReady();
      assertThat(watch.next().getStatus()).isEqualTo(ServingStatus.SERVING);
      greeter.becomeUnready();
      assertThat(watch.next().getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
    }
  }

  @Test
  void itsServicesAreListed() {
    try (BidiStreamingCall<ServerReflectionRequest, ServerReflectionResponse> call =
        ServerReflectionClient.of(channel).serverReflectionInfo()) {
      call.send(ServerReflectionRequest.newBuilder().setListServices("").build());
      call.halfClose();
      assertThat(call.next().getListServicesResponse().getServiceList())
          .extracting(ServiceResponse::getName)
          .contains(GreeterMethods.SERVICE_NAME, "grpc.health.v1.Health");
    }
  }
}
