package dev.gannet.codegen;

import com.google.protobuf.DescriptorProtos.Edition;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorRequest;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorResponse;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorResponse.Feature;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Answers protoc with the source files of each service in the files to generate. */
final class Generator {
  private static final long FEATURES =
      Feature.FEATURE_PROTO3_OPTIONAL_VALUE | Feature.FEATURE_SUPPORTS_EDITIONS_VALUE;

  private Generator() {}

  /** Never throws because of the request: errors in it are reported in the response. */
  static CodeGeneratorResponse respond(CodeGeneratorRequest request) {
    CodeGeneratorResponse.Builder response =
        CodeGeneratorResponse.newBuilder()
            .setSupportedFeatures(FEATURES)
            .setMinimumEdition(Edition.EDITION_PROTO2_VALUE)
            .setMaximumEdition(Edition.EDITION_2026_VALUE);
    try {
      return response.addAllFile(generate(request)).build();
    } catch (InvalidRequestException e) {
      return response.setError(e.getMessage()).build();
    }
  }

  private static List<CodeGeneratorResponse.File> generate(CodeGeneratorRequest request) {
    Options options = Options.parse(request.getParameter());
    Map<String, FileDescriptor> files = ProtoFiles.link(request.getProtoFileList());
    JavaPackages packages = JavaPackages.of(files.values(), options.styles());
    List<CodeGeneratorResponse.File> sources = new ArrayList<>();
    for (String name : request.getFileToGenerateList()) {
      FileDescriptor file = files.get(name);
      if (file == null) {
        throw new InvalidRequestException("The request lacks the file %s.".formatted(name));
      }
      SourceComments comments = SourceComments.of(file.toProto());
      for (ServiceDescriptor definition : file.getServices()) {
        Service service = Service.of(definition, comments);
        packages.claim(service);
        for (SourceFile source : write(service, packages, options)) {
          sources.add(source.toResponseFile());
        }
      }
    }
    return sources;
  }

  private static List<SourceFile> write(Service service, JavaPackages packages, Options options) {
    List<SourceFile> sources = new ArrayList<>();
    for (Shape shape : Shape.values()) {
      if (options.styles().contains(shape.style())) {
        sources.add(
            shape.isClient()
                ? ClientFile.write(service, packages, shape)
                : ServiceFile.write(service, packages, shape));
      }
    }
    sources.add(MethodsFile.write(service, packages, options.runtime()));
    return sources;
  }
}
