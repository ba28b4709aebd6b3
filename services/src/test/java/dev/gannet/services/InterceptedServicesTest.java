package dev.gannet.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.CallMetricRecorder;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import dev.gannet.server.ServerExtension;
import dev.gannet.services.channelz.v1.ChannelzClient;
import dev.gannet.services.channelz.v1.GetServersRequest;
import dev.gannet.services.health.v1.HealthCheckRequest;
import dev.gannet.services.health.v1.HealthClient;
import dev.gannet.services.orca.v3.OpenRcaServiceClient;
import dev.gannet.services.orca.v3.OrcaLoadReportRequest;
import dev.gannet.services.reflection.v1.ServerReflectionClient;
import dev.gannet.services.reflection.v1.ServerReflectionRequest;
import dev.gannet.services.test.Book;
import dev.gannet.services.test.Shelves;
import dev.gannet.services.test.ShelvesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Interceptors that were added with an extension see the calls of its services, and no others. */
@Timeout(30)
final class InterceptedServicesTest {
  enum Service {
    HEALTH {
      @Override
      ServerExtension extension() {
        return new HealthService();
      }

      @Override
      void call(ManagedChannel channel) {
        HealthClient.of(channel).check(HealthCheckRequest.getDefaultInstance());
      }
    },
    REFLECTION {
      @Override
      ServerExtension extension() {
        return new ReflectionService();
      }

      @Override
      void call(ManagedChannel channel) {
        try (var stream = ServerReflectionClient.of(channel).serverReflectionInfo()) {
          stream.send(ServerReflectionRequest.newBuilder().setListServices("").build());
          stream.next();
        }
      }
    },
    CHANNELZ {
      @Override
      ServerExtension extension() {
        return new ChannelzService();
      }

      @Override
      void call(ManagedChannel channel) {
        ChannelzClient.of(channel).getServers(GetServersRequest.getDefaultInstance());
      }
    },
    LOAD_REPORTS {
      @Override
      ServerExtension extension() {
        return new OrcaService(new CallMetricRecorder());
      }

      @Override
      void call(ManagedChannel channel) {
        try (var reports =
            OpenRcaServiceClient.of(channel)
                .streamCoreMetrics(OrcaLoadReportRequest.getDefaultInstance())) {
          reports.next();
        }
      }
    };

    abstract ServerExtension extension();

    abstract void call(ManagedChannel channel);

    ServerBuilder addTo(ServerBuilder builder, Service refused) {
      return equals(refused)
          ? builder.add(extension(), of -> of.withInterceptor(new Refusing()))
          : builder.add(extension());
    }
  }

  /** Refuses all calls. */
  private static final class Refusing implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      throw Status.PERMISSION_DENIED.asException();
    }
  }

  /** Notes that it has seen a call. */
  private record Seeing(String name, List<String> seen) implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      seen.add(name);
      return next.startCall(call, headers);
    }
  }

  private final List<String> seen = new CopyOnWriteArrayList<>();

  private ServerInterceptor seeing(String name) {
    return new Seeing(name, seen);
  }

  private static void put(Started started) {
    ShelvesClient.of(started.channel()).put(Book.getDefaultInstance());
  }

  private static Set<Service> answering(ManagedChannel channel) {
    Set<Service> answering = EnumSet.noneOf(Service.class);
    for (Service service : Service.values()) {
      try {
        service.call(channel);
        answering.add(service);
      } catch (StatusException e) {
        assertThat(e.status().code()).isEqualTo(Status.Code.PERMISSION_DENIED);
      }
    }
    return answering;
  }

  @ParameterizedTest
  @EnumSource(Service.class)
  void oneServiceIsRefusedAndTheOthersAnswer(Service refused) throws IOException {
    try (Started started =
        Started.with(builder -> {
          for (Service service : Service.values()) {
            service.addTo(builder, refused);
          }
          return builder.add(new Shelves() {});
        })) {
      assertThat(answering(started.channel())).isEqualTo(EnumSet.complementOf(EnumSet.of(refused)));
      assertThatThrownBy(() -> put(started)).hasMessageContaining("UNIMPLEMENTED");
    }
  }

  @Test
  void allServicesOfAnExtensionAreIntercepted() throws IOException {
    try (Started started =
        Started.with(
            it -> it.add(new ReflectionService(), of -> of.withInterceptor(new Refusing())))) {
      try (var former =
          dev.gannet.services.reflection.v1alpha.ServerReflectionClient.of(started.channel())
              .serverReflectionInfo()) {
        assertThatThrownBy(former::next).hasMessageContaining("PERMISSION_DENIED");
      }
    }
  }

  @Test
  void servicesOfAnExtensionThatAnotherOneAddsAreInterceptedToo() throws IOException {
    try (Started started =
        Started.with(it -> it.add(new AdminServices(), of -> of.withInterceptor(new Refusing())))) {
      for (Service service : EnumSet.of(Service.HEALTH, Service.REFLECTION, Service.CHANNELZ)) {
        assertThatThrownBy(() -> service.call(started.channel()))
            .hasMessageContaining("PERMISSION_DENIED");
      }
    }
  }

  @Test
  void theFirstOneIsTheOutermostAndThoseOfTheServerAreOutsideOfThem() throws IOException {
    ServerExtension inner = builder -> builder.add(new Stocked());
    ServerExtension outer =
        builder -> builder.add(inner, of -> of.withInterceptor(seeing("inner")));
    try (Started started =
        Started.with(builder ->
            builder
                .add(
                    outer,
                    of -> of.withInterceptor(seeing("first")).withInterceptor(seeing("second")))
                .intercept(seeing("server")))) {
      put(started);
      assertThat(seen).containsExactly("server", "first", "second", "inner");
    }
  }

  private static final class Stocked implements Shelves {
    @Override
    public dev.gannet.services.test.Shelf put(Book book) {
      return dev.gannet.services.test.Shelf.getDefaultInstance();
    }
  }

  @Test
  void servicesThatAreAddedAfterwardsAreNotIntercepted() throws IOException {
    try (Started started =
        Started.with(it ->
            it.add(new HealthService(), of -> of.withInterceptor(seeing("health")))
                .add(new Stocked()))) {
      put(started);
      assertThat(seen).isEmpty();
      Service.HEALTH.call(started.channel());
      assertThat(seen).containsExactly("health");
    }
  }

  @Test
  void theInterceptorsOfOneServiceSeeItsCallsAlone() throws IOException {
    try (Started started =
        Started.with(builder ->
            builder
                .add(
                    new Stocked(),
                    of -> of.withInterceptor(seeing("first")).withInterceptor(seeing("second")))
                .add(new HealthService())
                .intercept(seeing("server")))) {
      Service.HEALTH.call(started.channel());
      assertThat(seen).containsExactly("server");
      put(started);
      assertThat(seen).containsExactly("server", "server", "first", "second");
    }
  }

  @Test
  void theInterceptorsOfAnExtensionAreOutsideThoseOfItsServices() throws IOException {
    ServerExtension extension =
        builder ->
            builder.add(new Stocked().bindService(), of -> of.withInterceptor(seeing("service")));
    try (Started started =
        Started.with(
            builder -> builder.add(extension, of -> of.withInterceptor(seeing("extension"))))) {
      put(started);
      assertThat(seen).containsExactly("extension", "service");
    }
  }

  @Test
  void whatAnExtensionHasAddedBeforeItFailedIsInterceptedAndNothingElse() throws IOException {
    ServerExtension failing =
        builder -> {
          builder.add(new HealthService());
          throw new IllegalStateException("no more");
        };
    try (Started started =
        Started.with(builder -> {
          assertThatThrownBy(
                  () -> builder.add(failing, of -> of.withInterceptor(seeing("failing"))))
              .hasMessage("no more");
          return builder.add(new Stocked());
        })) {
      put(started);
      assertThat(seen).isEmpty();
      Service.HEALTH.call(started.channel());
      assertThat(seen).containsExactly("failing");
    }
  }

  @Test
  @SuppressWarnings("NullAway") // the mistake that is refused
  void nullIsNoInterceptor() {
    ServerBuilder builder =
        Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    List<ServerBuilder> added = new ArrayList<>();
    assertThatNullPointerException()
        .isThrownBy(
            () -> builder.add((ServerExtension) added::add, of -> of.withInterceptor(null)));
    assertThat(added).isEmpty();
    assertThatNullPointerException()
        .isThrownBy(() -> builder.add(new Stocked(), of -> of.withInterceptor(null)));
    assertThatNullPointerException()
        .isThrownBy(() -> builder.add(new Stocked(), of -> of.withHeadersInterceptor(null)));
    assertThatCode(() -> builder.add((ServerExtension) added::add)).doesNotThrowAnyException();
  }
}
