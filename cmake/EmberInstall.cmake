# SPDX-License-Identifier: MIT
# What `cmake --install` and `make install` give beside the command: headers, archives, the shared library, and the files by which
# CMake and pkg-config find them.
include(CMakePackageConfigHelpers)

set(EMBER_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Ember)
set_target_properties(ember-core PROPERTIES EXPORT_NAME core)
set(installed ember-core)
if(TARGET ember-lib)
    set_target_properties(ember-lib PROPERTIES EXPORT_NAME ember)
    list(APPEND installed ember-lib)
endif()
if(TARGET ember-shared)
    set_target_properties(ember-shared PROPERTIES EXPORT_NAME shared)
    list(APPEND installed ember-shared)
endif()
foreach(room console machine gpu image)
    if(TARGET ember-${room})
        set_target_properties(ember-${room} PROPERTIES EXPORT_NAME ${room})
        list(APPEND installed ember-${room})
    endif()
endforeach()
install(TARGETS ${installed} EXPORT EmberTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/ember DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES game/ember_game.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}) # for games, which see nothing of the host's headers
install(FILES game/rust/ember_game.rs DESTINATION ${CMAKE_INSTALL_DATADIR}/ember)
install(EXPORT EmberTargets NAMESPACE Ember:: DESTINATION ${EMBER_CMAKE_DIR})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/EmberConfig.cmake.in ${PROJECT_BINARY_DIR}/EmberConfig.cmake
                              INSTALL_DESTINATION ${EMBER_CMAKE_DIR} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/EmberConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/EmberConfig.cmake ${PROJECT_BINARY_DIR}/EmberConfigVersion.cmake DESTINATION ${EMBER_CMAKE_DIR})

# pkg-config's files are made while installing, because only then is the prefix known (cmake --install --prefix). As with CMake's targets,
# `ember` is the archive and `ember-shared` the shared library: the linker prefers a shared library to an archive of the same name, also
# for pkg-config --static.
function(ember_pc name description libs)
    install(CODE "set(EMBER_PC_NAME ${name})
set(EMBER_PC_DESCRIPTION \"${description}\")
set(EMBER_PC_LIBS \"${libs}\")
set(PROJECT_VERSION ${PROJECT_VERSION})
set(CMAKE_INSTALL_INCLUDEDIR ${CMAKE_INSTALL_INCLUDEDIR})
set(CMAKE_INSTALL_LIBDIR ${CMAKE_INSTALL_LIBDIR})
configure_file(\"${PROJECT_SOURCE_DIR}/cmake/ember.pc.in\" \"${PROJECT_BINARY_DIR}/${name}.pc\" @ONLY)")
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
if(TARGET ember-lib)
    set(libs "-l:libember.a -lm")
    if(MESHOPT_HEADERS AND MESHOPT_LIBRARY)
        set(libs "${libs} -lmeshoptimizer -lstdc++")
    endif()
    ember_pc(ember "${PROJECT_DESCRIPTION}" "${libs}")
endif()
if(TARGET ember-shared)
    ember_pc(ember-shared "${PROJECT_DESCRIPTION} (shared library)" -lember)
endif()

# `make deb`: one package with the command, the library and what is needed to build with it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ember)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The Ember authors <ember@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "wabt, gcc, libc6-dev") # ember run compiles games
set(CPACK_STRIP_FILES ON)
include(CPack)
