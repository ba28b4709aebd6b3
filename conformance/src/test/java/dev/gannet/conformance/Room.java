package dev.gannet.conformance;

import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The rooms of the house, and who may import whom. */
enum Room {
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
  CODEGEN("codegen"),
  TESTING("testing"),
  SUITES("suites"),
  LEAKS("leaks"),
  CLI("cli"),
  EXAMPLES("examples"),
  BENCHMARKS("benchmarks"),
  FUZZ("fuzz"),
  CONFORMANCE("conformance");

  /** Rooms that nobody imports. */
  static final Set<Room> LEAVES = EnumSet.of(CLI, EXAMPLES, BENCHMARKS, FUZZ, CONFORMANCE);

  /** Rooms that hold programs, which talk to the world by printing. */
  static final Set<Room> PROGRAMS =
      EnumSet.of(CODEGEN, CLI, EXAMPLES, BENCHMARKS, FUZZ, CONFORMANCE);

  /** Rooms that programs or their tests may have on their module path. */
  static final Set<Room> LIBRARY =
      EnumSet.of(
          API,
          HTTP2,
          PROTOCOL,
          TRANSPORT,
          TRANSPORT_NETTY,
          TRANSPORT_INPROCESS,
          SIMULATION,
          CLIENT,
          SERVER,
          PROTOBUF,
          SERVICE_CONFIG,
          TESTING,
          SUITES);

  private static final String PROTOBUF_LIBRARY = "com.google.protobuf";

  private final String folder;

  Room(String folder) {
    this.folder = folder;
  }

  /** The folder of this room below the root. */
  String folder() {
    return folder;
  }

  /** The package in which, and below which, everything of this room lives. */
  String rootPackage() {
    return this == SERVICE_CONFIG // one word, as in the name of its file format
        ? "dev.gannet.serviceconfig"
        : "dev.gannet." + folder.replace('-', '.');
  }

  /** The rooms that this one may import. */
  Set<Room> mayImport() {
    return switch (this) {
      case API, HTTP2, CODEGEN, LEAKS -> EnumSet.noneOf(Room.class);
      case PROTOCOL -> EnumSet.of(API, HTTP2);
      case TRANSPORT -> EnumSet.of(API, PROTOCOL, HTTP2);
      case TRANSPORT_INPROCESS -> EnumSet.of(API, PROTOCOL, TRANSPORT);
      case TRANSPORT_NETTY -> EnumSet.of(API, PROTOCOL, HTTP2, TRANSPORT);
      case CLIENT, SERVER -> EnumSet.of(API, PROTOCOL, TRANSPORT);
      case SIMULATION -> EnumSet.of(TRANSPORT);
      case PROTOBUF, PROTOBUF_LITE, JSON, ZSTD, AUTH, JFR, STATUS -> EnumSet.of(API);
      case VALIDATION -> EnumSet.of(API, STATUS);
      case SERVICES -> EnumSet.of(API, CLIENT, SERVER, PROTOBUF);
      case SERVICE_CONFIG -> EnumSet.of(API, CLIENT);
      case TESTING -> EnumSet.of(API, TRANSPORT, TRANSPORT_INPROCESS, CLIENT, SERVER);
      case SUITES -> EnumSet.of(API, HTTP2, PROTOCOL, TRANSPORT, SIMULATION, CLIENT, SERVER);
      case CLI, EXAMPLES, BENCHMARKS, FUZZ, CONFORMANCE ->
          EnumSet.complementOf(EnumSet.copyOf(LEAVES));
    };
  }

  /** The packages outside this house and the JDK that this room may import from. */
  List<String> mayUse() {
    return switch (this) {
      case API,
          HTTP2,
          PROTOCOL,
          TRANSPORT,
          TRANSPORT_INPROCESS,
          SIMULATION,
          CLIENT,
          SERVER,
          SERVICE_CONFIG,
          JFR ->
          List.of();
      case TRANSPORT_NETTY -> List.of("io.netty");
      case PROTOBUF, PROTOBUF_LITE, JSON, SERVICES, CODEGEN -> List.of(PROTOBUF_LIBRARY);
      case ZSTD -> List.of("com.github.luben.zstd");
      case AUTH -> List.of("com.google.auth");
      case STATUS -> List.of(PROTOBUF_LIBRARY, "com.google.rpc");
      case VALIDATION -> List.of(PROTOBUF_LIBRARY, "build.buf");
      case TESTING, SUITES -> List.of("org.junit.jupiter.api");
      case LEAKS -> List.of("io.netty.util", "org.junit.jupiter.api");
      case CLI, EXAMPLES -> List.of(PROTOBUF_LIBRARY, "picocli", "org.HdrHistogram");
      case FUZZ -> List.of("picocli", "io.netty", "com.sun.management");
      case CONFORMANCE ->
          List.of(
              PROTOBUF_LIBRARY,
              "picocli",
              "org.HdrHistogram",
              "org.w3c.dom", // the JDK's
              "org.xml.sax", // likewise
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

  /** The room in which a class of package {@code name} lives: the innermost, as rooms may nest. */
  static Optional<Room> ofPackage(String name) {
    return Arrays.stream(values())
        .filter(room -> isWithin(name, room.rootPackage()))
        .max(Comparator.comparingInt(room -> room.rootPackage().length()));
  }

  /** Whether package {@code name} is {@code ancestor} or below it. */
  static boolean isWithin(String name, String ancestor) {
    return name.equals(ancestor) || name.startsWith(ancestor + ".");
  }
}
