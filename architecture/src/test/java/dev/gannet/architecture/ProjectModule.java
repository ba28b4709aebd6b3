package dev.gannet.architecture;

import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The modules of this project, and which of them each may import. */
enum ProjectModule {
  API("api"),
  HTTP2("http2"),
  PROTOCOL("protocol"),
  TRANSPORT("transport"),
  TRANSPORT_NETTY("transport-netty"),
  TRANSPORT_INPROCESS("transport-inprocess"),
  SIMULATION("simulation"),
  CLIENT("client"),
  SERVER("server"),
  PROTOBUF("protobuf"),
  PROTOBUF_LITE("protobuf-lite"),
  JSON("json"),
  ZSTD("zstd"),
  AUTH("auth"),
  JFR("jfr"),
  SERVICES("services"),
  STATUS("status"),
  VALIDATION("validation"),
  SERVICE_CONFIG("service-config"),
  RESOLVER_DNS("resolver-dns"),
  CODEGEN("codegen"),
  TESTING("testing"),
  SUITES("suites"),
  LEAKS("leaks"),
  CLI("cli"),
  EXAMPLES("examples"),
  BENCHMARKS("benchmarks"),
  FUZZ("fuzz"),
  CONFORMANCE("conformance");

  /** Modules that no other module imports. */
  static final Set<ProjectModule> LEAVES = EnumSet.of(CLI, EXAMPLES, BENCHMARKS, FUZZ, CONFORMANCE);

  /** Modules with programs, which may print. */
  static final Set<ProjectModule> PROGRAMS =
      EnumSet.of(CODEGEN, CLI, EXAMPLES, BENCHMARKS, FUZZ, CONFORMANCE);

  /** The modules of which programs or their tests consist, besides classes of their own. */
  static final Set<ProjectModule> LIBRARY = library();

  private static final String PROTOBUF_LIBRARY = "com.google.protobuf";

  private final String folder;

  ProjectModule(String folder) {
    this.folder = folder;
  }

  private static Set<ProjectModule> library() {
    Set<ProjectModule> library = EnumSet.complementOf(EnumSet.copyOf(PROGRAMS));
    library.remove(LEAKS); // watches Gannet's own tests
    return library;
  }

  /** The folder of this module below the root. */
  String folder() {
    return folder;
  }

  /** The root package of this module. */
  String rootPackage() {
    return this == SERVICE_CONFIG // one word, as in the name of its file format
        ? "dev.gannet.serviceconfig"
        : "dev.gannet." + folder.replace('-', '.');
  }

  /** The modules that this one may import. */
  Set<ProjectModule> mayImport() {
    return switch (this) {
      case API, HTTP2, CODEGEN, LEAKS -> EnumSet.noneOf(ProjectModule.class);
      case PROTOCOL -> EnumSet.of(API, HTTP2);
      case TRANSPORT -> EnumSet.of(API, PROTOCOL, HTTP2);
      case TRANSPORT_INPROCESS -> EnumSet.of(API, PROTOCOL, TRANSPORT);
      case TRANSPORT_NETTY -> EnumSet.of(API, HTTP2, TRANSPORT);
      case CLIENT, SERVER -> EnumSet.of(API, PROTOCOL, TRANSPORT);
      case SIMULATION -> EnumSet.of(TRANSPORT);
      case PROTOBUF, PROTOBUF_LITE, JSON, ZSTD, AUTH, STATUS -> EnumSet.of(API);
      case JFR -> EnumSet.of(API, CLIENT, SERVER);
      case VALIDATION -> EnumSet.of(API, STATUS);
      case SERVICES -> EnumSet.of(API, CLIENT, SERVER, PROTOBUF);
      case SERVICE_CONFIG -> EnumSet.of(API, CLIENT);
      case RESOLVER_DNS -> EnumSet.of(API, CLIENT, SERVICE_CONFIG);
      case TESTING -> EnumSet.of(API, TRANSPORT, TRANSPORT_INPROCESS, CLIENT, SERVER);
      case SUITES ->
          EnumSet.of(
              API, HTTP2, PROTOCOL, TRANSPORT, TRANSPORT_INPROCESS, SIMULATION, CLIENT, SERVER);
      case CLI, EXAMPLES, BENCHMARKS, FUZZ, CONFORMANCE ->
          EnumSet.complementOf(EnumSet.copyOf(LEAVES));
    };
  }

  /** The packages outside this project and the JDK that this module may import from. */
  List<String> mayUse() {
    return switch (this) {
      case API, HTTP2, PROTOCOL, TRANSPORT, TRANSPORT_INPROCESS, SIMULATION, CLIENT, SERVER, JFR ->
          List.of();
      case SERVICE_CONFIG -> List.of("com.fasterxml.jackson.core");
      case TRANSPORT_NETTY, RESOLVER_DNS -> List.of("io.netty");
      case PROTOBUF, PROTOBUF_LITE, JSON, SERVICES, CODEGEN -> List.of(PROTOBUF_LIBRARY);
      case ZSTD -> List.of("com.github.luben.zstd");
      case AUTH -> List.of("com.google.auth");
      case STATUS -> List.of(PROTOBUF_LIBRARY, "com.google.rpc");
      case VALIDATION -> List.of(PROTOBUF_LIBRARY, "build.buf");
      case TESTING, SUITES -> List.of("org.junit.jupiter.api");
      case LEAKS -> List.of("io.netty.util", "org.junit.jupiter.api");
      case CLI -> List.of(PROTOBUF_LIBRARY, "picocli", "org.HdrHistogram");
      case EXAMPLES -> List.of(PROTOBUF_LIBRARY, "com.google.rpc");
      case FUZZ -> List.of("picocli", "io.netty", "com.sun.management");
      case CONFORMANCE ->
          List.of(
              PROTOBUF_LIBRARY,
              "picocli",
              "org.HdrHistogram",
              "org.w3c.dom", // the JDK's
              "org.xml.sax", // the JDK's
              "com.google.rpc", // this and the next two are generated; their publishers chose the
              // names
              "connectrpc.conformance.v1",
              "io.grpc.testing.integration");
      case BENCHMARKS ->
          List.of(
              PROTOBUF_LIBRARY,
              "picocli",
              "org.HdrHistogram",
              "com.fasterxml.jackson", // for what processes say to each other, and reports
              "com.sun.management", // the JDK's own, for what a call costs
              "io.grpc.benchmarks.proto"); // generated; its publisher has chosen the name
    };
  }

  /** The module that contains package {@code name}; the innermost one if several match. */
  static Optional<ProjectModule> ofPackage(String name) {
    return Arrays.stream(values())
        .filter(module -> isWithin(name, module.rootPackage()))
        .max(Comparator.comparingInt(module -> module.rootPackage().length()));
  }

  /** Whether package {@code name} is {@code ancestor} or below it. */
  static boolean isWithin(String name, String ancestor) {
    return name.equals(ancestor) || name.startsWith(ancestor + ".");
  }
}
