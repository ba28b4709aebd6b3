package dev.gannet.codegen;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes the interface that servers implement: {@code Greeter}. */
final class ServiceFile {
  private static final Template TYPE =
      new Template(
          """
          ${javadoc}
          ${annotations}
          public interface ${type} extends ${dev.gannet.api.BindableService} {
            ${members}
          }
          """);

  private static final Template BINDING =
      new Template(
          """
          /** This service with this object's methods as its handlers. */
          @${java.lang.Override}
          default ${dev.gannet.api.ServerServiceDefinition} bindService() {
            return new ${dev.gannet.api.ServerServiceDefinition}(
                ${methodsType}.SERVICE_NAME,
                ${definitions}
          }
          """);

  private static final Template METHOD =
      new Template(
          """
          ${javadoc}
          ${annotations}
          ${signature}
            throw ${dev.gannet.api.stub.BlockingCalls}.unimplemented(${methodsType}.${constant});
          }
          """);

  private static final Template DEFINITION =
      new Template(
          """
          ${dev.gannet.api.ServerMethodDefinition}.of(
              ${methodsType}.${constant}, ${handler}(this::${method}))
          """);

  private static final String UNIMPLEMENTED =
      "A method that is not overridden answers {@code UNIMPLEMENTED}."
          + " What a method throws ends its call.";

  private final Service service;
  private final ClassNames names;

  private ServiceFile(Service service, ClassNames names) {
    this.service = service;
    this.names = names;
  }

  static SourceFile write(Service service, JavaPackages packages) {
    ClassNames names = new ClassNames(service.javaPackage(), packages);
    String body = new ServiceFile(service, names).type();
    return SourceFile.of(service, service.interfaceName(), names, body);
  }

  private String type() {
    return TYPE.fill(
        names,
        Map.of(
            "javadoc", javadoc().render(0),
            "annotations", Annotations.ofType(service, names),
            "type", service.interfaceName(),
            "members", members()));
  }

  private String members() {
    List<String> members = new ArrayList<>(service.rpcs().stream().map(this::method).toList());
    members.add(
        BINDING.fill(
            names, Map.of("methodsType", service.methodsName(), "definitions", definitions())));
    return Lines.paragraphs(members);
  }

  private Javadoc javadoc() {
    return Javadoc.of(service.comment(), "The service {@code " + service.fullName() + "}.")
        .paragraph(UNIMPLEMENTED)
        .deprecatedIf(service.isDeprecated());
  }

  private String method(Rpc rpc) {
    return METHOD.fill(
        names,
        Map.of(
            "javadoc",
                Javadoc.of(rpc.comment(), rpc.summary()).deprecatedIf(rpc.isDeprecated()).render(2),
            "annotations", Annotations.deprecatedIf(rpc.isDeprecated(), names),
            "signature", signature(rpc),
            "methodsType", service.methodsName(),
            "constant", rpc.constantName()));
  }

  private String signature(Rpc rpc) {
    String request = names.of(MessageType.of(rpc.definition().getInputType()));
    String response = names.of(MessageType.of(rpc.definition().getOutputType()));
    String returned =
        switch (rpc.kind()) {
          case UNARY, CLIENT_STREAMING -> response;
          case SERVER_STREAMING, BIDI_STREAMING -> "void";
        };
    List<String> parameters =
        switch (rpc.kind()) {
          case UNARY -> List.of(request + " request");
          case CLIENT_STREAMING -> List.of(incoming(request));
          case SERVER_STREAMING -> List.of(request + " request", outgoing(response));
          case BIDI_STREAMING -> List.of(incoming(request), outgoing(response));
        };
    return Lines.call(
        2,
        "default " + returned + " " + rpc.methodName() + "(",
        parameters,
        ") throws " + names.of("java.lang.Exception") + " {");
  }

  private String incoming(String request) {
    return names.of("dev.gannet.api.stub.Incoming") + "<" + request + "> requests";
  }

  private String outgoing(String response) {
    return names.of("dev.gannet.api.stub.Outgoing") + "<" + response + "> responses";
  }

  private String definitions() {
    String list = names.of("java.util.List");
    if (service.rpcs().isEmpty()) {
      return list + ".of());";
    }
    String indent = "\n    ";
    List<String> each = service.rpcs().stream().map(this::definition).toList();
    // With its type: a compiler that has to find one for many definitions takes long.
    String type = "<" + names.of("dev.gannet.api.ServerMethodDefinition") + "<?, ?>>";
    return list
        + "."
        + type
        + "of("
        + indent
        + String.join(",\n", each).replace("\n", indent)
        + "));";
  }

  private String definition(Rpc rpc) {
    String kind =
        switch (rpc.kind()) {
          case UNARY -> "unary";
          case SERVER_STREAMING -> "serverStreaming";
          case CLIENT_STREAMING -> "clientStreaming";
          case BIDI_STREAMING -> "bidiStreaming";
        };
    return DEFINITION
        .fill(
            names,
            Map.of(
                "methodsType", service.methodsName(),
                "constant", rpc.constantName(),
                "handler", names.of("dev.gannet.api.stub.BlockingHandlers") + "." + kind,
                "method", rpc.methodName()))
        .stripTrailing();
  }
}
